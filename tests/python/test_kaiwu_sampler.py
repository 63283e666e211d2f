"""Samples for Kaiwu's Boltzmann machines, beside exact sampling."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import oa.kaiwu


def states_of(matrix: np.ndarray, temperature: float) -> tuple[np.ndarray, np.ndarray]:
    """All spins whose last is 1, and their exact probabilities: E = -s'Ms."""
    n = len(matrix) - 1
    states = np.array([(*s, 1) for s in itertools.product((-1, 1), repeat=n)])
    energies = -np.einsum("si,ij,sj->s", states, matrix, states)
    weights = np.exp(-(energies - energies.min()) / temperature)
    return states, weights / weights.sum()


@pytest.mark.parametrize("temperature", [0.7, 1.0, 4.0])
def test_the_distribution(rng: np.random.Generator, temperature: float) -> None:
    """Marginals and pairs within 5 standard errors."""
    reads = 20000
    for _ in range(3):
        matrix = rng.normal(size=(7, 7)) / 8
        matrix += matrix.T * (rng.random() < 0.5)
        states, chances = states_of(matrix, temperature)
        rows = oa.kaiwu.Sampler(reads, temperature, seed=5).solve(matrix)
        assert rows.shape == (reads, 7) and (rows[:, -1] == 1).all()
        for i, k in itertools.combinations(range(7), 2):  # k = 6: the marginal of i
            exact = chances @ (states[:, i] * states[:, k])
            error = 5 * np.sqrt((1 - exact**2) / reads)
            assert abs((rows[:, i] * rows[:, k]).mean() - exact) < error + 1e-9


def test_calls_and_seeds(rng: np.random.Generator) -> None:
    matrix = rng.normal(size=(5, 5))
    sampler = oa.kaiwu.Sampler(50, seed=3)
    first, second = sampler.solve(matrix), sampler.solve(matrix)
    assert (first != second).any()
    again = oa.kaiwu.Sampler(50, seed=3).solve(matrix)
    assert (first == again).all()
    sampler.solve(matrix, sort_solutions=True)
    assert (np.diff(sampler.get_hamiltonian()) >= 0).all()


def test_what_is_refused() -> None:
    for options in ({"reads": 0}, {"reads": 1.5}):
        with pytest.raises(ValueError, match="expected a whole number"):
            oa.kaiwu.Sampler(**options)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no option"):
        oa.kaiwu.Sampler(top=2)
    for temperature in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="temperature"):
            oa.kaiwu.Sampler(temperature=temperature)
    with pytest.raises(ValueError, match="square"):
        oa.kaiwu.Sampler().solve(np.ones((2, 3)))
    with pytest.raises(ValueError, match="finite"):
        oa.kaiwu.Sampler().solve(np.full((2, 2), np.nan))


def test_a_boltzmann_machine_of_the_plugin() -> None:
    """Training with our samples ends in a model of the images."""
    torch = pytest.importorskip("torch", reason="no torch")
    plugin = pytest.importorskip("kaiwu.torch_plugin", reason="no kaiwu-torch-plugin")
    visible, hidden = 6, 3
    images = np.array([x for x in itertools.product((0, 1), repeat=6) if x[:3] == x[3:]])
    data = torch.tensor(images, dtype=torch.float32)
    every = list(itertools.product((0.0, 1.0), repeat=visible + hidden))

    def likelihood(rbm: Any) -> float:
        """The mean logarithm of the exact probability of an image."""
        with torch.no_grad():
            logs = -rbm(torch.tensor(every)).double()
        logs = logs.reshape(1 << visible, 1 << hidden).logsumexp(1)
        rows = [int("".join(map(str, image)), 2) for image in images]
        return float(logs[rows].mean() - logs.logsumexp(0))

    torch.manual_seed(5)
    rbm = plugin.RestrictedBoltzmannMachine(visible, hidden)
    sampler = oa.kaiwu.Sampler(300, seed=1)
    optimiser = torch.optim.SGD(rbm.parameters(), lr=1.0, momentum=0.5)
    for _ in range(200):
        optimiser.zero_grad()
        rbm.objective(rbm.get_hidden(data), rbm.sample(sampler)).backward()
        optimiser.step()
    # Untrained it is -log(64), at best -log(8).
    assert likelihood(rbm) > -np.log(64) + 1.0
