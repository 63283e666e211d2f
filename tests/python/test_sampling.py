"""oa.sample and oa.marginals, beside all states and beside the tool."""

from __future__ import annotations

import itertools
import json
import pathlib

import numpy as np
import pytest

import oa
from conftest import run


def listed(problem: oa.Problem, temperature: float) -> tuple[np.ndarray, np.ndarray]:
    """All states and their exact probabilities."""
    low = -1 if problem.vartype == "spin" else 0
    states = np.array(list(itertools.product((low, 1), repeat=len(problem))))
    sign = -1.0 if problem.sense == "max" else 1.0
    energies = sign * np.array([problem.energy(s) for s in states])
    weights = np.exp(-(energies - energies.min()) / temperature)
    return states, weights / weights.sum()


@pytest.mark.parametrize("vartype", ["binary", "spin"])
@pytest.mark.parametrize("sense", ["min", "max"])
def test_small_problems(rng: np.random.Generator, vartype: str, sense: str) -> None:
    for temperature in (0.5, 2.0):
        problem = oa.Problem(rng.normal(size=(6, 6)), vartype=vartype, sense=sense)
        states, chances = listed(problem, temperature)
        exact = oa.marginals(problem, temperature=temperature)
        assert exact.exact and exact.mean == pytest.approx(chances @ states, abs=1e-9)
        found = oa.sample(problem, samples=4000, temperature=temperature)
        assert found.exact and found.x.shape == (4000, 6) and found.effective == 4000
        spread = np.sqrt(chances @ states**2 - exact.mean**2)
        rare = 25 / 6 * 2 / 4000  # what single states may add (Bernstein's inequality)
        limit = 5 * spread / np.sqrt(4000) + rare
        assert (abs(found.x.mean(0) - exact.mean) <= limit).all()
        assert found.marginals.mean == pytest.approx(exact.mean)
        assert found.energies[:20] == pytest.approx([problem.energy(x) for x in found.x[:20]])


def test_a_large_problem_by_chains(rng: np.random.Generator) -> None:
    """A dense problem, for which no tree is small enough."""
    q = 0.1 * rng.normal(size=(46, 46))
    found = oa.sample(q, samples=500, beta=1.0, seed=3)
    assert not found.exact and 100 < found.effective <= 500 and found.sweeps >= 1
    assert 0 < found.acceptance < 1 and 0 < found.exchanges <= 1
    of_all = oa.marginals(q, samples=500, beta=1.0, seed=3)
    assert not of_all.exact and of_all.effective > 100
    assert of_all.mean == pytest.approx(found.marginals.mean)
    again = oa.sample(q, samples=500, beta=1.0, seed=3, threads=2)
    assert (again.x == found.x).all()
    assert (oa.sample(q, samples=500, beta=1.0, seed=4).x != found.x).any()


def test_names_and_fixed_values() -> None:
    q = {("a", "b"): 1.0, ("b", "c"): -2.0}
    found = oa.sample(q, samples=20, temperature=1.0, fix={"a": 1})
    assert found.names == ["a", "b", "c"] and (found.x[:, 0] == 1).all()
    mean = oa.marginals(q, temperature=1.0, fix={"a": 1}).mean
    assert mean["a"] == 1.0
    weights = {(b, c): np.exp(-(b - 2 * b * c)) for b in (0, 1) for c in (0, 1)}
    b = sum(w for x, w in weights.items() if x[0]) / sum(weights.values())
    assert mean["b"] == pytest.approx(b)


def test_shares_of_numbers() -> None:
    """Two numbers of three binary digits."""
    digit = np.array([1.0, 2.0, 4.0])
    q = np.kron(np.array([[0.3, 0.2], [0.2, 0.1]]), np.outer(digit, digit))
    found = oa.marginals(q, temperature=1.0)
    states, chances = listed(oa.Problem(q), 1.0)
    assert [sorted(number.variables) for number in found.numbers] == [[0, 1, 2], [3, 4, 5]]
    for number in found.numbers:
        choice = states[:, number.variables] @ (1 << np.arange(3))
        assert number.shares == pytest.approx(np.bincount(choice, chances), abs=1e-9)


def test_the_same_as_the_tool(rng: np.random.Generator, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "p.npy"
    np.save(path, rng.normal(size=(30, 30)))
    line = run("oa-anneal", "-q", "--marginals", "-", "--temperature", "0.5", path).stdout
    told = json.loads(line)
    found = oa.marginals(oa.read(path), temperature=0.5)
    assert told["exact"] is found.exact is False
    assert told["means"] == found.mean.tolist() and told["effective"] == found.effective


def test_what_is_refused() -> None:
    q = np.eye(2)
    for temperature in (0, -1.0, float("nan"), "warm"):
        with pytest.raises(ValueError, match="temperature"):
            oa.sample(q, samples=1, temperature=temperature)  # type: ignore[arg-type]
    for samples in (0, -3, 1.5):
        with pytest.raises(ValueError, match="sample"):
            oa.sample(q, samples=samples, temperature=1.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="temperature or beta"):
        oa.marginals(q)
    with pytest.raises(ValueError, match="beta"):
        oa.marginals(q, temperature=1.0, beta=1.0)
    with pytest.raises(ValueError, match="no variable"):
        oa.marginals(q, temperature=1.0, fix={5: 1})


def test_a_time_limit(rng: np.random.Generator) -> None:
    found = oa.marginals(
        rng.normal(size=(300, 300)), temperature=0.1, samples=10**7, time_limit=0.2
    )
    assert found.stopped and found.mean.shape == (300,)
