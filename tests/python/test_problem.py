"""oa.Problem: polynomials, copies, and what is pickled."""

from __future__ import annotations

import copy
import itertools
import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oa
from conftest import rounds


def best_of(terms: dict[tuple[str, ...], float], spin: bool) -> float:
    names = sorted(set(itertools.chain(*terms)))
    energies = []
    for values in itertools.product((-1, 1) if spin else (0, 1), repeat=len(names)):
        x = dict(zip(names, values))
        energies.append(sum(w * np.prod([x[v] for v in term]) for term, w in terms.items()))
    return float(min(energies))


@pytest.mark.parametrize("spin", [False, True])
def test_polynomials(rng: np.random.Generator, spin: bool) -> None:
    vartype = "spin" if spin else "binary"
    for _ in range(rounds(20, 200)):
        most = int(rng.integers(1, 5))
        terms = {}
        for _ in range(int(rng.integers(1, 12))):
            term = tuple(rng.choice(list("abcde"), size=int(rng.integers(0, most + 1))).tolist())
            terms[term] = float(rng.integers(-9, 10))
        terms["a", "a"] = 1.0  # a constant for spins
        h = {"f": 2.0, "a": -1.0}
        problem = oa.Problem(terms, h, 0.5, vartype=vartype)
        whole = {**terms, ("f",): 2.0, ("a", "a", "a"): -1.0 + terms.get(("a", "a", "a"), 0.0)}
        best = best_of(whole, spin) + 0.5
        found = oa.solve(problem)
        assert problem.vartype == vartype and len(problem) == len(found.x)
        assert found.proved and found.energy == best == problem.energy(found.x)
        again = pickle.loads(pickle.dumps(problem))
        assert again.names == problem.names and again.energy(found.x) == best
        upside_down = oa.solve({k: -w for k, w in whole.items()}, sense="max", vartype=vartype)
        assert upside_down.energy == 0.5 - best


@pytest.mark.parametrize("vartype", ["binary", "spin"])
@pytest.mark.parametrize("sense", ["min", "max"])
def test_all_variables_fixed(vartype: str, sense: str) -> None:
    terms: dict[tuple[str, ...], float]
    for terms in ({("a", "a"): 3.0}, {("a", "a"): 2.0, ("a", "a", "a"): 1.0}):
        found = oa.solve(terms, offset=0.5, vartype=vartype, sense=sense, fix={"a": 1})
        assert found.proved and found.energy == found.bound == 3.5


@pytest.mark.parametrize("vartype", ["binary", "spin"])
def test_sums_of_products_are_exact(vartype: str) -> None:
    problem = oa.Problem(
        {("a", "b"): 2.0**60, ("b", "a"): 1.0, ("a", "b", "b", "b"): -(2.0**60), ("a",): 2.0**60},
        {"a": 1.0, "c": -(2.0**60)},
        -1.0,
        vartype=vartype,
    )
    low = 0 if vartype == "binary" else -1
    for a, b in itertools.product((low, 1), repeat=2):
        expected = a * b + a - 1 + (a - 1) * 2**60
        assert problem.energy({"a": a, "b": b, "c": 1}) == float(expected)
    assert oa.solve(problem, fix={"a": 1, "c": 1}).energy == float(1 + low - 1)


@pytest.mark.parametrize("vartype", ["binary", "spin"])
def test_samples_of_polynomials(vartype: str) -> None:
    problem = oa.Problem({("a", "b", "c"): -1.0, ("a", "b"): 0.25}, vartype=vartype)
    found = oa.solve(problem, solver="sa", samples=True, reads=20, seed=1)
    assert found.samples and found.samples[0][:2] == (found.energy, found.x)
    for energy, x, _ in found.samples:
        assert energy == problem.energy(x)


def test_products_of_two_stay_quadratic() -> None:
    found = oa.sample({(): 1.0, ("a",): -1.0, ("a", "b"): 2.0}, samples=10, temperature=1.0)
    assert found.exact and found.names == ["a", "b"]
    cubic = oa.sample({("a", "b", "c"): 2.0}, samples=10, temperature=1.0)
    assert cubic.exact and len(cubic.names) == 3


def test_graphs_become_matrices() -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.cycle_graph(5)
    for kind in (networkx.Graph, networkx.MultiDiGraph):
        with pytest.raises(TypeError, match=r"expected a matrix: networkx.to_scipy_sparse_array"):
            oa.solve(kind(graph))
    found = oa.solve(networkx.to_scipy_sparse_array(graph), vartype="spin")
    assert found.energy == 2 * (5 - 2 * 4)  # each edge twice; 4 edges are cut


COPIES: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    lambda p: pickle.loads(pickle.dumps(p)),
]


@pytest.mark.parametrize("copied", COPIES)
def test_copies(rng: np.random.Generator, tmp_path: pathlib.Path, copied: Any) -> None:
    n = 30
    q = rng.normal(size=(n, n))
    huge = np.zeros((3, 3))
    huge[0, 1], huge[1, 0], huge[2, 2] = 2.0**60, 1.0, 3.0  # their sum is no double
    (tmp_path / "p.lp").write_text("Max\n o: x + 2 y\nst\n c: x + y <= 1\nBinary\n x y\nEnd\n")
    (tmp_path / "free.lp").write_text("Max\n o: x + 2 y\nBinary\n x y\nEnd\n")
    for problem in (
        oa.read(tmp_path / "free.lp"),
        oa.Problem(q, rng.normal(size=n), 0.25, vartype="spin", sense="max"),
        oa.Problem(rng.integers(-9, 10, size=(n, n)).astype(np.int8)),
        oa.Problem({("a", (1, 2)): 1.5, ("b", "b"): -1.0}),
        oa.Problem(huge, [2.0**60, 0.0, 1.0], 2.0**60, vartype="spin"),
        oa.Problem({("a", "b", "c"): 1.5, ("a", "d"): 2.0, (): 1.0}, vartype="spin"),
        oa.read(tmp_path / "p.lp"),
    ):
        other = copied(problem)
        assert repr(other) == repr(problem) and other.names == problem.names
        found, again = (oa.solve(p, solver="auto", seed=3, reads=3) for p in (problem, other))
        assert np.array_equal(found.x, again.x) and found.energy == again.energy
        assert found.bound == again.bound and found.violated == again.violated
        assert (other.offset, other.linear.tolist()) == (problem.offset, problem.linear.tolist())
        assert all(map(np.array_equal, other.quadratic, problem.quadratic))
        for _ in range(5):
            x = rng.choice([-1 if problem.vartype == "spin" else 0, 1], size=len(problem))
            assert other.energy(x) == problem.energy(x)


def test_constraints_of_doubles(tmp_path: pathlib.Path) -> None:
    third = 1 / 3
    (tmp_path / "p.lp").write_text(
        f"Min\n o: x + 2 y + 3 z\nst\n c: {third!r} x + {third!r} y + {third!r} z = 1\n"
        "Binary\n x y z\nEnd\n"
    )
    problem = oa.read(tmp_path / "p.lp")
    (tmp_path / "p.hubo").write_bytes(oa.cim._hubo(problem))
    for same in (problem, oa.read(tmp_path / "p.hubo"), *(copied(problem) for copied in COPIES)):
        found = oa.solve(same)
        assert found.feasible and found.proved and found.energy == 6.0
    assert oa.solve(problem).tolerance == 1e-9
    (tmp_path / "short.lp").write_text("Min\n o: x\nst\n c: 0.1 x = 0.1\nBinary\n x\nEnd\n")
    assert oa.solve(tmp_path / "short.lp").tolerance == 0.0


def test_warnings_of_files(tmp_path: pathlib.Path) -> None:
    (tmp_path / "p.coo").write_text("# vartype=BINARY\n1 2 -1\n2 2 1\n")
    with pytest.warns(UserWarning, match="no term has variable 0"):
        oa.solve(tmp_path / "p.coo")
    (tmp_path / "open.coo").write_text("0 1 -1\n")
    with pytest.warns(UserWarning, match=r"open\.coo: no vartype: binary"):
        oa.read(tmp_path / "open.coo")


@pytest.mark.parametrize("copied", COPIES)
def test_copies_of_results(copied: Any) -> None:
    drawn = oa.sample({("a", "b"): 1.0}, samples=20, temperature=1.0, seed=1)
    other = copied(drawn)
    assert (other.x == drawn.x).all() and (other.energies == drawn.energies).all()
    assert other.marginals.mean == drawn.marginals.mean and other.names == ["a", "b"]
    found = oa.solve({("a", "b"): 1.0}, top=3)
    assert copied(found) == found
