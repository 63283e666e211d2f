"""oa.torch.marginals: exact probabilities, their gradients, and what is refused."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.func import grad, vmap  # noqa: E402

import oa.torch as ot  # noqa: E402
from test_torch import problems  # noqa: E402


def by_definition(J: Any, h: Any, temperature: Any = 1.0) -> Any:
    states = torch.tensor(list(itertools.product([0.0, 1.0], repeat=h.shape[-1]))).to(h.dtype)
    energy = torch.einsum("sk,...kl,sl->...s", states, J, states)[..., None, :] / 2 + h @ states.T
    return torch.softmax(-energy / temperature, -1) @ states


@pytest.mark.parametrize("temperature", [0.01, 0.5, 3.0])
def test_marginals_are_those_of_all_states(temperature: float) -> None:
    for m in (1, 3, 4, 9):
        J, h = problems(3, 5, m, 2, m)
        expected = by_definition(J, h, temperature)
        assert torch.allclose(ot.marginals(J, h, temperature), expected, atol=1e-12)
        single = ot.marginals(J.float(), h.float(), temperature)
        assert (single - by_definition(J.float().double(), h.float().double(), temperature)).abs(
        ).max() < 1e-6  # fmt: skip
        half = ot.marginals(J.bfloat16(), h.bfloat16(), temperature)
        assert half.dtype == torch.bfloat16 and half.shape == h.shape


@pytest.mark.parametrize("shared", [False, True])
def test_gradcheck(shared: bool) -> None:
    J, h = problems(2, 5, 5, 3)
    J = J[0] if shared else J
    t = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    leaves = (J.requires_grad_(), h.requires_grad_(), t)
    assert torch.autograd.gradcheck(ot.marginals, leaves, eps=1e-5, atol=1e-8, rtol=1e-6)
    expected = torch.autograd.grad(by_definition(*leaves).square().sum(), leaves)
    found = torch.autograd.grad(ot.marginals(*leaves).square().sum(), leaves)
    symmetric = (expected[0] + expected[0].mT) / 2
    for f, e in zip(found, (symmetric, *expected[1:])):
        assert torch.allclose(f, e, atol=1e-12)


def test_transforms() -> None:
    torch._dynamo.reset()
    J, h = problems(3, 2, 5, 3)

    def loss(J: Any, h: Any) -> Any:
        return ot.marginals(J, h).square().sum()

    leaves = J.clone().requires_grad_(), h.clone().requires_grad_()
    expected = torch.autograd.grad(loss(*leaves), leaves)
    compiled = torch.compile(ot.marginals, backend="aot_eager", fullgraph=True)
    other = torch.autograd.grad(compiled(*leaves).square().sum(), leaves)
    for found in (grad(loss, (0, 1))(J, h), vmap(grad(loss, (0, 1)))(J, h), other):
        assert all(torch.allclose(f, e, atol=1e-12) for f, e in zip(found, expected))
    with pytest.raises(NotImplementedError, match="second derivative"):
        torch.func.jacrev(grad(lambda h: loss(J, h)))(h)


def test_numbers_that_are_not_finite() -> None:
    J, h = problems(3, 2, 5, 3)
    h[0, 0, 0] = torch.nan
    J[1, 0, 0] = torch.inf
    J, h = J.requires_grad_(), h.requires_grad_()
    p = ot.marginals(J, h)
    assert torch.isnan(p[0, 0]).all() and torch.isnan(p[1]).all()
    assert torch.isfinite(p[0, 1]).all() and torch.isfinite(p[2]).all()
    p.sum().backward()
    assert torch.isnan(J.grad[:2]).all() and torch.isfinite(J.grad[2]).all()
    assert torch.isnan(h.grad[0, 0]).all() and torch.isfinite(h.grad[0, 1]).all()


@pytest.mark.parametrize("m", [8, 24])  # independent states, and chains
def test_reads(m: int) -> None:
    J, h = problems(1, 2, m, 3)
    t = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    leaves = (J.requires_grad_(), h.requires_grad_(), t)

    def derivatives(**how: Any) -> Any:
        p = ot.marginals(*leaves, **how)
        return p, *torch.autograd.grad(p.square().sum(), leaves)

    exact = derivatives()
    drawn = derivatives(reads=4096, seed=2)
    for found, expected in zip(drawn, exact):
        assert (found - expected).abs().max() < 0.05 * max(1, expected.abs().max())
    assert torch.equal(drawn[1], drawn[1].mT)
    assert torch.equal(drawn[0], ot.marginals(*leaves, reads=4096, seed=2))
    assert not torch.equal(drawn[0], ot.marginals(*leaves, reads=4096, seed=3))


def test_reads_in_halves() -> None:
    """Of 30 variables, of which 15 and 15 are not coupled."""
    torch._dynamo.reset()
    J, h = problems(3, 2, 15, 3)
    whole = torch.stack([torch.block_diag(a, a) for a in J]), torch.cat((h, h), -1)
    expected = ot.marginals(J, h)
    p = ot.marginals(*whole, reads=1024)
    assert (p.reshape(3, 2, 2, 15) - expected[:, :, None]).abs().max() < 0.1
    call = torch.compile(ot.marginals, backend="aot_eager", fullgraph=True)
    assert torch.allclose(call(*whole, reads=1024), p, atol=1e-12)
    assert torch.isfinite(vmap(lambda J, h: ot.marginals(J, h, reads=9))(*whole)).all()
    whole[1][0, 0, 0] = torch.nan
    p = ot.marginals(*whole, reads=9)
    assert torch.isnan(p[0, 0]).all() and torch.isfinite(p[1:]).all()


def test_what_is_refused() -> None:
    J, h = problems(1, 1, 25, 3)
    with pytest.raises(ValueError, match="h: 25 variables .expected at most 24, or reads"):
        ot.marginals(J, h)
    with pytest.raises(ValueError, match="reads: 1"):
        ot.marginals(J, h, reads=1)
    with pytest.raises(ValueError, match="temperature: 0"):
        ot.marginals(J[..., :2, :2], h[..., :2], 0)
    with pytest.raises(ValueError, match="coefficients: marginal ones need keys"):
        ot.OptimizingAttention(8, coefficients="marginal")
    layer = ot.OptimizingAttention(8, keys="own", coefficients="marginal", temperature=0.5)
    assert torch.allclose(layer.log_temperature.exp(), torch.tensor([0.5]))
    with pytest.raises(ValueError, match="h: 25 variables"):
        layer(torch.randn(1, 25, 8))
