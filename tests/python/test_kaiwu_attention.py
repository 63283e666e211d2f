"""The solver of the QAMA layer, attention as a QUBO."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import oa.kaiwu
from conftest import rounds


def layer_energy(
    J: np.ndarray, h: np.ndarray, x: np.ndarray, quadratic: float, linear: float
) -> np.ndarray:
    """What the layer minimises for each head, without what couples them."""
    return -quadratic * np.einsum("...i,...ij,...j", x, J, x) - linear * (h * x).sum(axis=-1)


def test_every_head_is_optimal(rng: np.random.Generator) -> None:
    for bits in (1, 2, 3, 4):
        for _ in range(rounds(5, 100)):
            n = int(rng.integers(1, 9 // bits + 1))
            J = rng.normal(size=(2, 3, n, n)).astype(np.float32)
            h = rng.normal(size=(2, 3, n)).astype(np.float32)
            levels = np.arange(1 << bits) / ((1 << bits) - 1)
            grid = np.array(list(itertools.product(levels, repeat=n)))
            best = layer_energy(J[:, :, None], h[:, :, None], grid, 0.5, 2.0).min(axis=-1)
            solver = oa.kaiwu.AttentionSolver(bits, quadratic=0.5, linear=2.0)
            x = solver.solve(J, h)
            assert x.shape == h.shape and solver.proved.all()
            assert layer_energy(J, h, x, 0.5, 2.0) == pytest.approx(best, abs=1e-5)
            assert solver.energy == pytest.approx(best, abs=1e-5)
            assert solver.bound == pytest.approx(best, abs=1e-5)
            digits = oa.kaiwu.AttentionSolver(bits, quadratic=0.5, linear=2.0, digits=True)
            weights = 2.0 ** np.arange(bits) / ((1 << bits) - 1)
            assert digits.solve(J, h).shape == (*h.shape, bits)
            assert digits.solve(J, h) @ weights == pytest.approx(x, abs=1e-6)


@pytest.mark.parametrize(("heads", "n", "bits"), [(1, 4, 2), (2, 3, 2), (3, 4, 1), (2, 6, 1)])
def test_heads_that_are_kept_apart(rng: np.random.Generator, heads: int, n: int, bits: int) -> None:
    J = rng.normal(size=(2, heads, n, n))
    h = rng.normal(size=(2, heads, n))
    weights = 2.0 ** np.arange(bits) / ((1 << bits) - 1)
    every = np.array(list(itertools.product((0, 1), repeat=heads * n * bits)))
    every = every.reshape(-1, heads, n, bits)
    pairs = list(itertools.combinations(range(heads), 2))
    shared = sum((every[:, i] * every[:, k]).sum(axis=(1, 2)) for i, k in pairs)
    for penalty in (0.25, 2.0):
        solver = oa.kaiwu.AttentionSolver(bits, penalty=penalty, digits=True)
        x = solver.solve(J, h)
        assert solver.proved.all() and x.shape == (2, heads, n, bits)
        for image in range(2):
            all_energies = layer_energy(J[image], h[image], every @ weights, 1.0, 1.0).sum(axis=1)
            all_energies = all_energies + penalty * shared / max(1, len(pairs))
            found = (every == x[image]).all(axis=(1, 2, 3))
            assert all_energies[found] == pytest.approx(all_energies.min())
            assert solver.energy[image] == pytest.approx(all_energies.min())
        values = oa.kaiwu.AttentionSolver(bits, penalty=penalty).solve(J, h)
        assert values == pytest.approx(x @ weights)


def test_the_shape_of_the_layer(rng: np.random.Generator) -> None:
    """49 tokens, as the layer has for an image of 28 x 28."""
    features = rng.normal(size=(4, 8, 49, 16)).astype(np.float32)
    J = -features @ np.swapaxes(features, -1, -2) / 16
    h = rng.normal(size=(4, 8, 49)).astype(np.float32)
    solver = oa.kaiwu.AttentionSolver(seed=3)
    x = solver.solve(J, h)
    assert x.shape == (4, 8, 49) and x.dtype == np.int8 and solver.proved.all()
    assert (solver.energy <= 0).all()


def test_what_is_refused() -> None:
    J, h = np.zeros((1, 2, 3, 3)), np.zeros((1, 2, 3))
    for bits in (0, 5, 1.5, "2"):
        with pytest.raises(ValueError, match="bits"):
            oa.kaiwu.AttentionSolver(bits)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="top: no option"):
        oa.kaiwu.AttentionSolver(top=3)
    assert oa.kaiwu.AttentionSolver(penalty=1.0, top=3).solve(J, h).shape == h.shape
    solver = oa.kaiwu.AttentionSolver()
    for wrong in ((J[0], h[0]), (J, h[:, :1]), (J[..., :2], h), (J, h[0])):
        with pytest.raises(ValueError, match="J and h: arrays of shape"):
            solver.solve(*wrong)
    with pytest.raises(TypeError, match="complex"):
        solver.solve(J.astype(complex), h)
    with pytest.raises(ValueError, match="finite"):
        solver.solve(J, h + np.inf)
