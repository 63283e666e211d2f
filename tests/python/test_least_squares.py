"""oa.least_squares beside brute force and beside the tools."""

from __future__ import annotations

import itertools
import pathlib
import warnings
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oa
from conftest import rounds, run
from oa import _tools
from oa.streams import made_by

Coefficients = Literal["binary", "levels", "spin"]


def values_of(coefficients: str, levels: int) -> list[float]:
    if coefficients == "spin":
        return [float(v) for v in range(1 - levels, levels, 2)]
    return [k / (levels - 1) for k in range(levels)]


def drawn(rng: np.random.Generator, shape: tuple[int, ...], complex_: bool) -> Any:
    numbers = rng.standard_normal(shape)
    return numbers + 1j * rng.standard_normal(shape) if complex_ else numbers


def kinds() -> list[tuple[str, int | None, bool, bool]]:
    """coefficients, levels, complex numbers, real coefficients"""
    return [
        ("binary", None, False, False),
        ("binary", None, True, False),
        ("levels", 3, False, False),
        ("levels", 4, True, True),
        ("spin", None, False, False),
        ("spin", 4, False, False),
        ("spin", None, True, False),
        ("spin", None, True, True),
    ]


def is_complex(kind: tuple[str, int | None, bool, bool]) -> bool:
    coefficients, _, complex_, real = kind
    return complex_ and not real and coefficients != "binary"


def choices(kind: tuple[str, int | None, bool, bool], m: int) -> Any:
    values = values_of(kind[0], kind[1] or 2)
    if is_complex(kind):
        every = np.array(list(itertools.product(values, repeat=2 * m)))
        return every[:, :m] + 1j * every[:, m:]
    return np.array(list(itertools.product(values, repeat=m)))


@pytest.mark.parametrize("kind", kinds())
def test_brute_force(rng: np.random.Generator, kind: tuple[str, int | None, bool, bool]) -> None:
    coefficients, levels, complex_, real = kind
    for _ in range(rounds(5, 200)):
        m = int(rng.integers(1, 4 if is_complex(kind) else 6))
        d = int(rng.integers(1, 5))
        b, n = int(rng.integers(1, 3)), int(rng.integers(1, 3))
        form = int(rng.integers(4))
        V = drawn(rng, (b, m, d) if form & 1 else (m, d), complex_)
        q = drawn(rng, (b, n, d) if form & 2 else (n, d), complex_)
        cost = float(rng.random()) if coefficients in ("binary", "levels") else 0.0
        if coefficients == "levels" and complex_ and not real:
            cost = 0.0
        found = oa.least_squares(
            V, q, coefficients=coefficients, levels=levels, lambda_=cost, real_coefficients=real
        )
        every = choices(kind, m)
        lead = (b,) if form else ()
        assert found.x.shape == (*lead, n, m) and found.residual.shape == (*lead, n)
        assert found.proved.all() and not found.stopped.any()
        assert np.iscomplexobj(found.x) == is_complex(kind)
        distances = np.sum(np.abs(q[..., None, :] - every @ V[..., None, :, :]) ** 2, axis=-1)
        costs = distances + cost * np.sum(np.real(every), axis=-1)
        reached = found.residual + cost * np.sum(np.real(found.x), axis=-1)
        np.testing.assert_allclose(reached, costs.min(axis=-1), rtol=1e-9, atol=1e-9)
        squares = np.sum(np.abs(q) ** 2, axis=-1)
        np.testing.assert_allclose(found.energy, reached - squares, rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(found.bound, found.energy)


def exact_cost(x: Any, V: Any, q: Any, cost: float, steps: int) -> Fraction:
    """Of x in steps of 1/steps."""
    x = [Fraction(int(k), steps) for k in np.rint(steps * x)]
    rest = [
        Fraction(b) - sum(k * Fraction(v) for k, v in zip(x, column))
        for b, column in zip(q.tolist(), V.T.tolist())
    ]
    return sum((r * r for r in rest), Fraction(cost) * sum(x))


@given(
    st.integers(1, 4),
    st.integers(1, 3),
    st.sampled_from([("binary", None), ("levels", 3), ("levels", 5), ("spin", None), ("spin", 4)]),
    st.data(),
)
@settings(max_examples=rounds(60, 3000), deadline=None)
def test_beside_fractions(
    m: int, d: int, kind: tuple[Coefficients, int | None], data: st.DataObject
) -> None:
    """No x is better than a proved one by the least bit of the given numbers."""
    numbers = st.one_of(
        st.integers(-9, 9).map(float),
        st.floats(-1e6, 1e6, allow_subnormal=False).filter(lambda v: v == 0 or abs(v) > 1e-9),
        st.sampled_from([1.0, 1.0 + 2.0**-52, 0.1, 0.1 + 0.2, 1e6, 1e6 + 2.0**-32]),
        st.integers(-99, 99).map(lambda k: 3000.0 + k / 64),
    )
    row = st.lists(numbers, min_size=d, max_size=d)
    V = np.array(data.draw(st.lists(row, min_size=m, max_size=m)))
    q = np.array(data.draw(st.one_of(row, st.just(V[: m // 2 + 1].sum(axis=0).tolist()))))
    cost = data.draw(st.sampled_from([0.0, 0.1])) if kind[0] == "binary" else 0.0
    if not V.astype(np.float32).any():
        V[0, 0] = 1.0
    found = oa.least_squares(V, q[np.newaxis], coefficients=kind[0], levels=kind[1], lambda_=cost)
    every = choices((*kind, False, False), m)
    steps = kind[1] - 1 if kind[0] == "levels" and kind[1] else 1
    costs = [exact_cost(x, V, q, cost, steps) for x in every]
    assert found.proved.all()
    x = found.x[0]
    assert exact_cost(x, V, q, cost, steps) == min(costs)
    assert found.residual[0] == pytest.approx(float(exact_cost(x, V, q, 0.0, steps)), rel=1e-6)


def test_close_solutions_are_compared_exactly(rng: np.random.Generator) -> None:
    # In double precision the 70 choices of 4 of 8 values are equal.
    V = 1e9 + rng.normal(size=(8, 12))
    x = np.repeat([0, 1], 4)
    found = oa.least_squares(V, (x @ V + 0.1 * rng.normal(size=12))[np.newaxis])
    assert found.proved.all() and found.x[0].tolist() == x.tolist()
    # More equal optima than are compared, of more variables than are enumerated.
    V = rng.normal(size=(24, 3))
    V[1:] = V[0]
    many = oa.least_squares(V, 5.5 * V[:1])
    assert not many.proved.any() and (many.bound <= many.energy).all()


def test_numbers_beyond_the_range_of_exact_products() -> None:
    found = oa.least_squares([[1.0, 1e-200], [0.1, 0.0]], [[0.3, 0.2]])
    assert not found.proved.any() and found.x.tolist() == [[0, 1]]


def test_the_tool_warns_of_single_precision(rng: np.random.Generator) -> None:
    for base, coarse in ((0.0, False), (1.0, False), (5000.0, True)):
        V = base + rng.normal(size=(6, 12))
        q = V[:3].sum(axis=0, keepdims=True)
        files = {"values": _tools.npy_file("V.npy", V), "queries": _tools.npy_file("q.npy", q)}
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            made_by("oa-qubo", [], {name: file.path for name, file in files.items()})
        said = [str(w.message) for w in warned]
        assert said == ["V.npy: single precision may change the optimum of 1 problem, whose "
                        "numbers are large beside their differences"] * coarse  # fmt: skip


def test_equal_optima_are_proved(rng: np.random.Generator) -> None:
    V = rng.normal(size=(6, 8))
    V[1], V[3] = V[0], 0.0
    found = oa.least_squares(V, rng.normal(size=(4, 8)), coefficients="spin")
    assert found.proved.all()
    V = rng.normal(size=(40, 12))
    stopped = oa.least_squares(V, V[:20].sum(axis=0, keepdims=True) + 0.1, max_nodes=1)
    assert not stopped.proved.any() and (stopped.bound < stopped.energy).all()


@pytest.mark.parametrize("kind", kinds())
def test_same_as_tools(
    tmp_path: pathlib.Path, rng: np.random.Generator, kind: tuple[str, int | None, bool, bool]
) -> None:
    coefficients, levels, complex_, real = kind
    b, n, m, d = 2, 3, 5, 6
    V = drawn(rng, (b, m, d), complex_)
    truth = rng.choice(choices(kind, 1)[:, 0], size=(b, n, m))
    q = truth @ V + 0.3 * drawn(rng, (b, n, d), complex_)
    for name, array in (("V", V), ("q", q), ("t", truth)):
        np.save(tmp_path / f"{name}.npy", array)
    run("oa-qubo", "-q", "--values", tmp_path / "V.npy", "--queries", tmp_path / "q.npy",
        f"--coefficients={coefficients}", *([f"--levels={levels}"] if levels else []),
        *(["--real-coefficients"] if real else []), "-o", tmp_path / "p.oa")  # fmt: skip
    run("oa-anneal", "-q", "--seed=3", tmp_path / "p.oa", "-o", tmp_path / "s.oa")
    score = oa.score(tmp_path / "s.oa", truth=tmp_path / "t.npy")
    found = oa.least_squares(
        V, q, coefficients=coefficients, levels=levels, real_coefficients=real, truth=truth, seed=3
    )
    for k, frame in enumerate(oa.stream(tmp_path / "s.oa")):
        # Spins have a constant: the problem of the stream begins at their lowest values.
        constant = found.energy[k] - frame["energy"]
        if coefficients != "spin":
            np.testing.assert_allclose(constant, 0.0, atol=1e-4)
        np.testing.assert_allclose(found.bound[k], frame["bound"] + constant, rtol=1e-6, atol=1e-4)
        np.testing.assert_array_equal(found.proved[k], frame["status"] == 0)
    assert found.score is not None
    for name in ("residual", "support", "errors", "symbol_errors", "bit_errors", "truth_residual"):
        assert found.score[name] == score[name]
    assert found.score["residual"] == pytest.approx(found.residual.mean(), rel=1e-4)
    wrong = ~np.isclose(found.x, truth)
    assert found.score["symbol_errors"] == pytest.approx(wrong.mean())
    assert found.score["errors"] == pytest.approx(wrong.any(axis=-1).mean())


def test_options() -> None:
    V = np.random.default_rng(1).standard_normal((40, 30))
    q = V[:7].sum(axis=0, keepdims=True)
    found = oa.least_squares(V, q, solver="sa", reads=3, sweeps=50, seed=5, threads=1)
    assert not found.proved.any() and not found.stopped.any() and found.score is None
    assert found.x.dtype == np.int8
    assert repr(found) == "<oa.LeastSquares: 1 problems of 40 coefficients, 0 proved, 0 stopped>"
    proved = oa.least_squares(V, q, solver="exact")
    assert proved.proved.all() and proved.residual[0] == pytest.approx(0.0, abs=1e-9)
    assert np.flatnonzero(proved.x[0]).tolist() == list(range(7))
    stopped = oa.least_squares(V, q + 1.0, solver="exact", max_nodes=1)
    assert stopped.stopped.all() and (stopped.bound <= stopped.energy).all()


def test_refused() -> None:
    V = np.eye(3)
    with pytest.raises(ValueError, match=r"queries of 2 numbers \(expected 3"):
        oa.least_squares(V, np.ones((1, 2)))
    with pytest.raises(ValueError, match=r"expected \(m,d\) or \(b,m,d\)"):
        oa.least_squares(np.ones(3), np.ones((1, 3)))
    with pytest.raises(ValueError, match="2 sets of queries"):
        oa.least_squares(np.ones((3, 2, 2)), np.ones((2, 1, 2)))
    with pytest.raises(ValueError, match="all values of problem 0 are 0"):
        oa.least_squares(np.zeros((2, 2)), np.ones((1, 2)))
    with pytest.raises(ValueError, match="finite|NaN|nan"):
        oa.least_squares(V * np.nan, np.ones((1, 3)))
    with pytest.raises(ValueError, match="levels needs levels"):
        oa.least_squares(V, np.ones((1, 3)), coefficients="levels")
    with pytest.raises(ValueError, match="expected an even number"):
        oa.least_squares(1j * V, np.ones((1, 3)), coefficients="levels", levels=3)
    with pytest.raises(ValueError, match="lambda"):
        oa.least_squares(V, np.ones((1, 3)), coefficients="spin", lambda_=1.0)
    with pytest.raises(ValueError, match="expected 1 rows of 3 real numbers"):
        oa.least_squares(V, np.ones((1, 3)), truth=np.ones((1, 2)))
    with pytest.raises(ValueError, match="coefficient 1 of row 0 is 2"):
        oa.least_squares(V, np.ones((1, 3)), truth=[[0, 2, 0]])
    with pytest.raises(TypeError, match="expected numbers"):
        oa.least_squares([["a", "b"]], np.ones((1, 2)))
