"""oa.torch: coefficients with a given sum, and numbers that are not finite."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import oa.torch as ot  # noqa: E402
from oa.torch import elsewhere, ops  # noqa: E402
from test_torch import FUNCTIONS, problems  # noqa: E402

BOUNDS = ((0, 1), (-0.5, 0.75), (0, torch.inf), (-torch.inf, torch.inf))


def sums_for(lo: float, hi: float) -> Any:
    """Two problems by three sums, inside what the bounds allow for six coefficients."""
    most = 6 * min(hi, 1.0)
    shares = torch.tensor([[0.2, 0.5, 0.9], [0.35, 0.6, 0.4]], dtype=torch.float64)
    return most * shares


def check_optimal(J: Any, h: Any, x: Any, lo: float, hi: float, multiplied: Any) -> None:
    """The conditions of an optimum, with one multiplier a row."""
    g = x @ J + h
    free = (x > lo + 1e-9) & (x < hi - 1e-9)
    mu = (g * free).sum(-1, keepdim=True) / free.sum(-1, keepdim=True).clamp_min(1)
    mu = torch.where(multiplied & free.any(-1, keepdim=True), mu, 0)
    g = g - mu
    assert (g[free].abs() < 1e-7).all()
    settled = ~free & (free.any(-1, keepdim=True) | ~multiplied)
    assert (g[settled & (x <= lo + 1e-9)] > -1e-7).all()
    assert (g[settled & (x >= hi - 1e-9)] < 1e-7).all()


@pytest.mark.parametrize(("lo", "hi"), BOUNDS)
@pytest.mark.parametrize("rank", [2, 8])
def test_box_with_a_sum(lo: float, hi: float, rank: int) -> None:
    J, h = problems(2, 3, 6, rank)
    J = J - 0.1 * torch.eye(6, dtype=J.dtype) if rank == 2 and lo == 0 and hi == 1 else J
    total = sums_for(lo, hi)
    x = ot.box_qp(J, h, lo, hi, total=total)
    assert torch.allclose(x.sum(-1), total, atol=1e-9)
    check_optimal(J, h, x, lo, hi, torch.ones(2, 3, 1, dtype=torch.bool))
    same = ot.box_qp(J, h, lo, hi, total=1.5)
    assert torch.allclose(same.sum(-1), torch.full((2, 3), 1.5, dtype=h.dtype), atol=1e-9)
    held = ot.box_qp(J, h, lo, hi, budget=1.5)
    alone = ot.box_qp(J, h, lo, hi)
    beyond = alone.sum(-1, keepdim=True) > 1.5
    assert torch.allclose(held, torch.where(beyond, same, alone))
    assert beyond.any()


def test_linear_programs_with_a_sum() -> None:
    h = torch.tensor([3.0, -1.0, 2.0, 0.5], dtype=torch.float64)
    x = ot.box_qp(torch.zeros(4, 4, dtype=h.dtype), h, total=2.25)
    assert torch.allclose(x, torch.tensor([0.0, 1.0, 0.25, 1.0], dtype=h.dtype), atol=1e-6)
    for total in (0.0, 4.0):
        x = ot.box_qp(torch.eye(4, dtype=h.dtype), h, total=total)
        assert torch.allclose(x, torch.full_like(h, total / 4), atol=1e-12)


@pytest.mark.parametrize("name", ["total", "budget"])
@pytest.mark.parametrize(("lo", "hi"), BOUNDS)
@pytest.mark.parametrize("gradient", ["implicit", "smoothed"])
def test_gradcheck_with_a_sum(name: str, lo: float, hi: float, gradient: str) -> None:
    J, h = problems(2, 3, 6, 4)
    total = sums_for(lo, hi)

    def f(J: Any, h: Any, total: Any) -> Any:
        return ot.box_qp(J, h, lo, hi, gradient=gradient, **{name: total})

    inputs = tuple(t.clone().requires_grad_() for t in (J, h, total))
    if gradient == "implicit":
        assert torch.autograd.gradcheck(f, inputs, eps=1e-7, atol=1e-5)
        return
    x = f(*inputs)
    dj, dh, dk = torch.autograd.grad((x * h).sum(), inputs)
    assert all(torch.isfinite(d).all() for d in (dj, dh, dk))
    if name == "total":  # the sum does not move with h
        assert dh.sum(-1).abs().max() < 1e-8


def test_operations_of_pytorch_find_the_same_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """What tensors on other devices get, on this one."""
    J, h = problems(1, 2, 5, 4)

    def found() -> list[Any]:
        leaves = J.clone().requires_grad_(), h.clone().requires_grad_()
        results = []
        for lo, hi in ((0, 1), (0, torch.inf)):
            x = ot.box_qp(*leaves, lo, hi, total=2.5)
            results += [x, *torch.autograd.grad((x * h).sum(), leaves)]
        return results

    expected = found()

    def relax(J: Any, h: Any, kind: str, temperature: float, penalty: float, _: float) -> Any:
        return elsewhere.relax(J, h, kind, temperature, penalty)

    def systems(J: Any, root: Any, b: Any, free: bool, _: float) -> Any:
        return (elsewhere.systems(J, root, b, free),)

    monkeypatch.setattr(ops, "_relax", relax)
    monkeypatch.setattr(ops, "_systems", systems)
    assert all(torch.allclose(f, e, atol=1e-8) for f, e in zip(found(), expected))


def test_float32_with_a_sum() -> None:
    J, h = problems(3, 4, 49, 12)
    expected = ot.box_qp(J, h, total=5.0)
    found = ot.box_qp(J.float(), h.float(), total=5.0)
    assert (found - expected).abs().max() < 1e-4
    assert (found.sum(-1) - 5).abs().max() < 1e-4
    assert torch.equal(ot.box_qp(J, h[:, 0], total=5.0).sum(-1).round(), torch.full((3,), 5.0))

    def excess(mu: Any) -> Any:
        return (1 - mu).clamp(0, 2) - 0.5

    step = torch.tensor([[0.1], [10.0]], dtype=torch.float64)
    mu = elsewhere.root(excess, step, torch.full_like(step, 1e-12))
    assert torch.allclose(mu, torch.full_like(mu, 0.5), atol=1e-11)


def enumerated(J: Any, h: Any, levels: int, allowed: Any) -> Any:
    grid = torch.tensor(list(itertools.product(range(levels), repeat=J.shape[-1])), dtype=J.dtype)
    grid = grid / (levels - 1)
    grid = grid[allowed(grid.sum(-1))]
    energy = 0.5 * torch.einsum("gi,bij,gj->bg", grid, J, grid)[:, None] + h @ grid.T
    return energy.amin(-1), grid[energy.argmin(-1)]


@pytest.mark.parametrize("levels", [2, 4])
@pytest.mark.parametrize("convex", [True, False])
def test_binary_and_levels_with_a_sum(levels: int, convex: bool) -> None:
    J, h = problems(3, 4, 5, 3)
    J = J if convex else J - 2 * torch.diag_embed(J.diagonal(dim1=-2, dim2=-1))
    for k in range(0, 5 * (levels - 1) + 1, levels):
        total = k / (levels - 1)
        for name, allowed in (
            ("total", lambda s, total=total: (s - total).abs() < 1e-9),
            ("budget", lambda s, total=total: s < total + 1e-9),
        ):
            energy, best = enumerated(J, h, levels, allowed)
            if levels == 2:
                x = ot.binary_qp(J, h, **{name: int(total)})
            else:
                x = ot.levels_qp(J, h, levels, **{name: total})
            assert allowed(x.sum(-1)).all()
            found = 0.5 * ((x @ J) * x).sum(-1) + (h * x).sum(-1)
            assert torch.allclose(found, energy, atol=1e-5)
            rough = ot.levels_qp(J, h, levels, "round", **{name: total})
            assert allowed(rough.sum(-1)).all()


@pytest.mark.parametrize("relaxation", ["mean_field", "box"])
@pytest.mark.parametrize("name", ["total", "budget"])
def test_gradients_of_binary_with_a_sum(relaxation: str, name: str) -> None:
    J, h = problems(2, 3, 5, 3)
    h.requires_grad_()
    x = ot.binary_qp(J, h, relaxation=relaxation, **{name: 2})
    (dh,) = torch.autograd.grad((x * torch.arange(5)).sum(), h)
    assert torch.isfinite(dh).all() and dh.abs().max() > 0
    if name == "total":
        assert dh.sum(-1).abs().max() < 1e-8
    assert ot.binary_qp(J[0], h[0, 0], total=2).shape == (5,)
    assert ot.binary_qp(J, h[:, :0], total=2).shape == (2, 0, 5)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda J, h: ot.box_qp(J, h, total=7.0), ValueError, "no 6 values from 0 to 1"),
        (lambda J, h: ot.box_qp(J, h, budget=-1.0), ValueError, "no 6 values from 0 to 1"),
        (lambda J, h: ot.box_qp(J, h, total=1, budget=2), ValueError, "budget: not with total"),
        (lambda J, h: ot.box_qp(J, h, total=torch.ones(5)), ValueError, "total: shape"),
        (lambda J, h: ot.binary_qp(J, h, total=1.5), ValueError, "total: 1.5"),
        (lambda J, h: ot.binary_qp(J, h, budget=7), ValueError, "budget: 7"),
        (lambda J, h: ot.binary_qp(J, h, total=torch.ones(3)), TypeError, "total: a tensor"),
    ],
)
def test_bad_sums(call: Any, error: type, says: str) -> None:
    with pytest.raises(error, match=says):
        call(*problems(2, 3, 6, 4))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("bad", [torch.nan, torch.inf])
def test_numbers_that_are_not_finite_give_nan(name: str, bad: float) -> None:
    f, (J, h) = FUNCTIONS[name], problems(3, 2, 5, 3)
    expected = f(J, h)
    wrong = h.clone()
    wrong[0, 1, 2] = bad
    couplings = J.clone()
    couplings[2, 0, 0] = bad
    x = f(couplings.requires_grad_(), wrong.requires_grad_())
    assert torch.isnan(x[0, 1]).all() and torch.isnan(x[2]).all()
    good = torch.ones(3, 2, dtype=torch.bool)
    good[0, 1] = good[2, 0] = good[2, 1] = False
    assert torch.allclose(x[good], expected[good], atol=1e-9)
    x.sum().backward()
    assert torch.isnan(wrong.grad[~good]).all() and torch.isfinite(wrong.grad[good]).all()
    assert torch.isfinite(couplings.grad[1]).all() and torch.isnan(couplings.grad[2]).all()
    # A gradient that overflowed stays visible.
    h = h.clone().requires_grad_()
    weight = torch.ones_like(h)
    weight[1, 0, 3] = bad
    (f(J, h) * weight).sum().backward()
    assert not torch.isfinite(h.grad[1, 0]).all() and torch.isfinite(h.grad[0]).all()
