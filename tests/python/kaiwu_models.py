"""Records the QUBO models that other code makes, and compares ours with exhaustive search."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import kaiwu.core as core
import numpy as np

import oa.kaiwu

LARGEST = 24  # variables, for exhaustive search


@contextmanager
def recorded() -> Iterator[list[core.QuboModel]]:
    """A list of the models that are made meanwhile."""
    models: list[core.QuboModel] = []
    original = core.QuboModel.__init__

    def init(self: core.QuboModel, *words: Any, **options: Any) -> None:
        original(self, *words, **options)
        models.append(self)

    core.QuboModel.__init__ = init
    try:
        yield models
    finally:
        core.QuboModel.__init__ = original


def minimum(matrix: np.ndarray) -> float:
    """The least x'Qx, by exhaustive search."""
    n = len(matrix)
    assert n <= LARGEST
    best = np.inf
    for first in range(0, 1 << n, 1 << 16):
        numbers = np.arange(first, min(first + (1 << 16), 1 << n))
        x = (numbers[:, None] >> np.arange(n) & 1).astype(float)
        best = min(best, float(((x @ matrix) * x).sum(axis=1).min()))
    return best


def compare(model: core.QuboModel) -> None:
    """Solves the model as a QUBO and as an Ising matrix."""
    matrix = model.get_matrix()
    offset = model.make().offset
    best = minimum(matrix) + offset
    solver = oa.kaiwu.Solver()
    solution, energy = solver.solve_qubo(model)
    assert solver.proved and solver.bound == energy == solver.energy
    assert np.isclose(energy, best)
    assert solution.keys() == model.get_variables().keys()
    assert np.isclose(core.get_val(model.make(), solution), best)
    ising = core.qubo_model_to_ising_model(model)
    spins = solver.solve(ising.get_matrix())
    assert solver.proved
    assert np.isclose(solver.get_hamiltonian()[0] + ising.get_bias(), best)
    again = core.get_sol_dict(spins[0], ising.get_variables())
    assert np.isclose(core.get_val(model.make(), again), best)


def compare_all(models: list[core.QuboModel]) -> tuple[int, int]:
    """How many models were compared, and how many Kaiwu itself refuses."""
    refused = 0
    for model in models:
        try:
            model.get_matrix()
        except Exception:
            refused += 1
            continue
        compare(model)
    return len(models) - refused, refused
