"""Operators of PyTorch: on the CPU the kernels of the library, elsewhere those of PyTorch."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NoReturn, Protocol

import torch
from numpy.typing import NDArray
from torch import Tensor

from oa import _oa, sampling
from oa.torch import elsewhere
from oa.torch.autograd import Argument, Context, Gradients, Vmap


def _finite(
    solve: Callable[..., tuple[Tensor, ...]], J: Tensor, *rows: Tensor
) -> tuple[Tensor, ...]:
    """Returns solve(J, *rows); a problem with a number that is not finite gets NaN."""
    whole = torch.isfinite(J).flatten(1).all(-1)[:, None, None]
    good = whole
    for row in rows:
        good = good & torch.isfinite(row).all(-1, keepdim=True)
    if bool(whole.all()) and bool(good.all()):
        return solve(J, *rows)
    eye = torch.eye(J.shape[-1], dtype=J.dtype, device=J.device)
    found = solve(torch.where(whole, J, eye), *(torch.where(good, row, 0) for row in rows))
    return tuple(values.masked_fill(~good, torch.nan) for values in found)


def _check_semidefinite(J: Tensor, slack: float) -> None:
    """Refuses couplings that have no Cholesky factor, shifted by slack times the trace."""
    doubled = J + J.mT
    if J.device.type != "mps":  # it has no double precision
        doubled = doubled.double()
    diagonal = doubled.diagonal(dim1=-2, dim2=-1)
    trace = diagonal.sum(-1, keepdim=True).clamp_min(0)
    diagonal += slack * trace + torch.finfo(doubled.dtype).tiny
    if bool(torch.linalg.cholesky_ex(doubled).info.any()):
        raise ValueError(
            "J: not positive semidefinite: minima may be local ones (check=False accepts it)"
        )


def _numpy(value: Tensor) -> NDArray[Any]:
    return value.detach().contiguous().numpy()


@torch.library.custom_op("oa::relax", mutates_args=())
def relax(
    J: Tensor, h: Tensor, kind: str, temperature: float, penalty: float, tolerance: float,
    accuracy: float, lo: float = 0.0, hi: float = 1.0, slack: float = -1.0,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Relaxed coefficients of problems J (b,m,m), h (b,n,m), and roots of their slopes.

    `accuracy` is that of the systems of the gradient in single precision.  `lo` and `hi` are
    the bounds of the kinds `box` and `smoothed`.  With a `slack` from 0 an eigenvalue of J
    below -slack times its trace is refused.
    """

    def solve(J: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
        if slack >= 0:
            _check_semidefinite(J, slack)
        return _bounded(J, h, kind, temperature, penalty, tolerance, lo, hi)

    x, root = _finite(solve, J, h)
    return x, root


def _bounded(
    J: Tensor, h: Tensor, kind: str, temperature: float, penalty: float, tolerance: float,
    lo: float, hi: float,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    if (lo, hi) == (0.0, 1.0):
        return _relax(J, h, kind, temperature, penalty, tolerance)
    return elsewhere.within(
        J, h, lambda J, h: _relax(J, h, "box", 1.0, 0.0, tolerance)[0],
        lo, hi, None if kind == "box" else temperature,
    )  # fmt: skip


def _relax(
    J: Tensor, h: Tensor, kind: str, temperature: float, penalty: float, tolerance: float
) -> tuple[Tensor, Tensor]:
    if J.device.type != "cpu":
        return elsewhere.relax(J, h, kind, temperature, penalty)
    x = torch.empty(h.shape, dtype=h.dtype)
    root = torch.empty(h.shape, dtype=h.dtype)
    _oa.relax(
        kind, _numpy(J), _numpy(h), temperature, penalty, tolerance,
        torch.get_num_threads(), x.numpy(), root.numpy(),
    )  # fmt: skip
    return x, root


@relax.register_fake
def _(
    J: Tensor, h: Tensor, kind: str, temperature: float, penalty: float, tolerance: float,
    accuracy: float, lo: float = 0.0, hi: float = 1.0, slack: float = -1.0,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    return torch.empty_like(h), torch.empty_like(h)


@torch.library.custom_op("oa::relax_backward", mutates_args=())
def relax_backward(
    J: Tensor, x: Tensor, root: Tensor, dx: Tensor, free: bool, accuracy: float
) -> tuple[Tensor, Tensor]:
    """The gradients of J and h: dh = -w, dJ = -(w'x + x'w)/2."""
    (w,) = _finite(lambda J, root, dx: _systems(J, root, dx, free, accuracy), J, root, dx)
    dj = w.mT @ x
    return (dj + dj.mT) / -2, -w


def _systems(J: Tensor, root: Tensor, b: Tensor, free: bool, accuracy: float) -> tuple[Tensor]:
    if J.device.type != "cpu":
        return (elsewhere.systems((J + J.mT) / 2, root, b, free),)
    w = torch.empty(b.shape, dtype=b.dtype)
    _oa.relax_systems(
        free, _numpy(J), _numpy(root), _numpy(b), accuracy,
        torch.get_num_threads(), w.numpy(),
    )  # fmt: skip
    return (w,)


@relax_backward.register_fake
def _(
    J: Tensor, x: Tensor, root: Tensor, dx: Tensor, free: bool, accuracy: float
) -> tuple[Tensor, Tensor]:
    return torch.empty_like(J), torch.empty_like(x)


def _no_second_derivative(*_: object) -> NoReturn:
    raise NotImplementedError("oa.torch: coefficients have no second derivative")


_Inputs = tuple[Tensor, Tensor, str, float, float, float, float, float, float, float]


class _Relaxed(Context, Protocol):
    free: bool
    accuracy: float


def _keep(ctx: _Relaxed, inputs: _Inputs, output: tuple[Tensor, Tensor]) -> None:
    J, _, kind, _, _, _, accuracy, *_ = inputs
    x, root = output
    ctx.save_for_backward(J, x, root)
    ctx.mark_non_differentiable(root)
    ctx.free = kind in ("box", "lasso")
    ctx.accuracy = accuracy


def _relax_gradient(ctx: _Relaxed, dx: Tensor, _: Tensor) -> Gradients:
    J, x, root = ctx.saved_tensors
    dj, dh = relax_backward(J, x, root, dx, ctx.free, ctx.accuracy)
    return dj, dh, *8 * (None,)


relax.register_autograd(_relax_gradient, setup_context=_keep)
relax_backward.register_autograd(_no_second_derivative)


class _Relaxation(torch.autograd.Function):
    """relax() for torch.func, which does not take operators with a derivative."""

    generate_vmap_rule = True

    @staticmethod
    def forward(*inputs: Argument) -> tuple[Tensor, Tensor]:
        return relax(*inputs)

    @staticmethod
    def setup_context(ctx: _Relaxed, inputs: _Inputs, output: tuple[Tensor, Tensor]) -> None:
        _keep(ctx, inputs, output)
        ctx.save_for_forward(inputs[0], *output)

    @staticmethod
    def backward(ctx: _Relaxed, dx: Tensor, _: Tensor) -> Gradients:
        dj, dh = _Gradient.apply(*ctx.saved_tensors, dx, ctx.free, ctx.accuracy)
        return dj, dh, *8 * (None,)

    @staticmethod
    def jvp(ctx: _Relaxed, dj: Tensor | None, dh: Tensor | None, *_: object) -> tuple[Tensor, None]:
        J, x, root = ctx.saved_tensors
        moved = torch.zeros_like(x) if dh is None else dh
        if dj is not None:
            moved = moved + x @ (dj + dj.mT) / 2
        return _Gradient.apply(J, x, root, moved, ctx.free, ctx.accuracy)[1], None


class _Gradient(torch.autograd.Function):
    """relax_backward() for torch.func."""

    generate_vmap_rule = True

    @staticmethod
    def forward(*inputs: Argument) -> tuple[Tensor, Tensor]:
        return relax_backward(*inputs)

    @staticmethod
    def setup_context(*_: object) -> None:
        pass

    backward = jvp = staticmethod(_no_second_derivative)


def relaxed(*inputs: Argument) -> Tensor:
    """The coefficients of relax(), with their derivative."""
    # torch.compile takes operators only.
    call = relax if torch.compiler.is_compiling() else _Relaxation.apply
    x: Tensor = call(*inputs)[0]
    return x


@torch.library.custom_op("oa::marginals", mutates_args=())
def marginals(J: Tensor, h: Tensor, temperature: float) -> Tensor:
    """P(x = 1) of exp(-E/temperature) for problems J (b,m,m), h (b,n,m), found on the CPU."""

    def solve(J: Tensor, h: Tensor) -> tuple[Tensor]:
        p = torch.empty(h.shape, dtype=h.dtype)
        _oa.boltzmann(_numpy(J), _numpy(h), temperature, torch.get_num_threads(), p.numpy())
        return (p,)

    return _finite(solve, J.cpu(), h.cpu())[0].to(h.device)


@marginals.register_fake
def _(J: Tensor, h: Tensor, temperature: float) -> Tensor:
    return torch.empty_like(h)


@torch.library.custom_op("oa::marginals_backward", mutates_args=())
def marginals_backward(
    J: Tensor, h: Tensor, dp: Tensor, temperature: float
) -> tuple[Tensor, Tensor]:
    """The gradients of J and h: covariances."""
    couplings: list[Tensor] = []

    def solve(J: Tensor, h: Tensor, dp: Tensor) -> tuple[Tensor]:
        dj, dh = torch.empty(J.shape, dtype=J.dtype), torch.empty(h.shape, dtype=h.dtype)
        _oa.boltzmann_backward(
            _numpy(J), _numpy(h), _numpy(dp), temperature, torch.get_num_threads(),
            dj.numpy(), dh.numpy(),
        )  # fmt: skip
        couplings.append(dj)
        return (dh,)

    (dh,) = _finite(solve, J.cpu(), h.cpu(), dp.cpu())
    good = torch.isfinite(dh).flatten(1).all(-1)[:, None, None]
    return couplings[0].masked_fill(~good, torch.nan).to(J.device), dh.to(J.device)


@marginals_backward.register_fake
def _(J: Tensor, h: Tensor, dp: Tensor, temperature: float) -> tuple[Tensor, Tensor]:
    return torch.empty_like(J), torch.empty_like(h)


class _Marginal(Context, Protocol):
    temperature: float


def _keep_problems(ctx: _Marginal, inputs: tuple[Tensor, Tensor, float], output: Tensor) -> None:
    ctx.save_for_backward(*inputs[:2])
    ctx.temperature = inputs[2]


def _marginal_gradient(ctx: _Marginal, dp: Tensor) -> Gradients:
    return *marginals_backward(*ctx.saved_tensors, dp, ctx.temperature), None


marginals.register_autograd(_marginal_gradient, setup_context=_keep_problems)
marginals_backward.register_autograd(_no_second_derivative)


class _Marginals(torch.autograd.Function):
    """marginals() for torch.func, which does not take operators with a derivative."""

    generate_vmap_rule = True
    setup_context = staticmethod(_keep_problems)

    @staticmethod
    def forward(*inputs: Argument) -> Tensor:
        return marginals(*inputs)

    @staticmethod
    def backward(ctx: _Marginal, dp: Tensor) -> Gradients:
        return *_MarginalGradient.apply(*ctx.saved_tensors, dp, ctx.temperature), None


class _MarginalGradient(torch.autograd.Function):
    """marginals_backward() for torch.func."""

    generate_vmap_rule = True

    @staticmethod
    def forward(*inputs: Argument) -> tuple[Tensor, Tensor]:
        return marginals_backward(*inputs)

    @staticmethod
    def setup_context(*_: object) -> None:
        pass

    backward = jvp = staticmethod(_no_second_derivative)


def exact_marginals(*inputs: Argument) -> Tensor:
    """The probabilities of marginals(), with their derivative."""
    call = marginals if torch.compiler.is_compiling() else _Marginals.apply
    p: Tensor = call(*inputs)
    return p


@torch.library.custom_op("oa::states", mutates_args=())
def states(J: Tensor, h: Tensor, temperature: float, reads: int, seed: int) -> Tensor:
    """`reads` states of exp(-E/temperature) for each of the problems J (b,m,m), h (b,n,m).

    The result is (b,n,reads,m); problem i of the batch has the seed `seed` + i.
    """

    def draw(J: Tensor, h: Tensor) -> tuple[Tensor]:
        threads = torch.get_num_threads()
        found = torch.empty((*h.shape[:2], reads * h.shape[2]), dtype=h.dtype)
        for i, (b, n) in enumerate(itertools.product(range(h.shape[0]), range(h.shape[1]))):
            problem = _numpy(J[b % len(J)].double()) / 2, _numpy(h[b, n].double())
            drawn = sampling.sample(
                *problem, samples=reads, temperature=temperature, seed=seed + i, threads=threads
            )
            found[b, n] = torch.from_numpy(drawn.x).flatten()
        return (found,)

    (found,) = _finite(draw, J.cpu(), h.cpu())
    return found.reshape(*h.shape[:2], reads, h.shape[2]).to(h.device)


@states.register_fake
def _(J: Tensor, h: Tensor, temperature: float, reads: int, seed: int) -> Tensor:
    return h.new_empty((*h.shape[:2], reads, h.shape[2]))


states.register_autograd(lambda ctx, dx: (None,) * 5)


def sampled_marginals(J: Tensor, h: Tensor, temperature: float, reads: int, seed: int) -> Tensor:
    """The shares of ones in states(); derivatives are the covariances of the states."""
    x = states(J.detach(), h.detach(), temperature, reads, seed)
    energy = ((x @ J[:, None]) * x).sum(-1) / 2 + (x @ h[..., None]).squeeze(-1)
    # The weights are equal, but change with the energies.
    weights = torch.softmax((energy.detach() - energy) / temperature, -1)
    return (weights[..., None, :] @ x).squeeze(-2)


@torch.library.custom_op("oa::multiplier", mutates_args=())
def multiplier(
    J: Tensor, h: Tensor, total: Tensor, kind: str, temperature: float, tolerance: float,
    accuracy: float, lo: float, hi: float,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """For each row (b,n,1) a multiplier mu, so that the minima of J, h + mu have the sum `total`.

    The second result is -1 / (the derivative of the sum by mu); 0 where that is 0.
    """
    m = h.shape[-1]
    if bool(((total < m * lo) | (total > m * hi)).any()):
        raise ValueError(f"total: no {m} values from {lo:g} to {hi:g} have this sum")

    def solve(J: Tensor, h: Tensor, total: Tensor) -> tuple[Tensor, Tensor]:
        def relaxed(mu: Tensor) -> tuple[Tensor, Tensor]:
            return _bounded(J, h + mu, kind, temperature, 0.0, tolerance, lo, hi)

        size = max([abs(bound) for bound in (lo, hi) if abs(bound) < torch.inf], default=1.0)
        goal = torch.finfo(h.dtype).eps * (m * size + total.abs())
        scale = h.abs().amax(-1, keepdim=True) + size * J.abs().sum(-1).amax(-1)[:, None, None]
        mu = elsewhere.root(lambda mu: relaxed(mu)[0].sum(-1, keepdim=True) - total, scale, goal)
        _, root = relaxed(mu)
        free = kind == "box"
        slope = _systems(J, root, torch.ones_like(root), free, accuracy)[0].sum(-1, keepdim=True)
        return mu, torch.where(slope > 0, 1 / slope, 0)

    mu, inverse = _finite(solve, J, h, total)
    return mu, inverse


@multiplier.register_fake
def _(
    J: Tensor, h: Tensor, total: Tensor, kind: str, temperature: float, tolerance: float,
    accuracy: float, lo: float, hi: float,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    return torch.empty_like(total), torch.empty_like(total)


def relaxed_to(
    total: Tensor, J: Tensor, h: Tensor, kind: str, temperature: float, penalty: float,
    tolerance: float, accuracy: float, lo: float, hi: float, slack: float,
) -> Tensor:  # fmt: skip
    """The coefficients of relax() whose sum is `total` (b,n,1), with their derivative.

    A penalty on the sum, which is 0 at the solution, makes the sum a smooth function of the
    multiplier.  The derivative of the multiplier is that of a step of Newton's method.
    """
    size = J.detach().diagonal(dim1=-2, dim2=-1).abs().mean(-1)[:, None, None]
    terms = torch.where(torch.isfinite(h), h, 0).detach().abs()
    size = size + 1e-3 * terms.amax((-1, -2), keepdim=True)
    weight = size / h.shape[-1] + torch.finfo(h.dtype).tiny
    J, h = J + weight, h - weight * total
    mu, inverse = multiplier(
        J.detach(), h.detach(), total.detach(), kind, temperature, tolerance, accuracy, lo, hi
    )
    options = (kind, temperature, penalty, tolerance, accuracy, lo, hi, slack)
    excess = relaxed(J, h + mu, *options).sum(-1, keepdim=True) - total
    return relaxed(J, h + mu + excess * inverse, *options)


@torch.library.custom_op("oa::hidden", mutates_args=())
def hidden(mask: Tensor) -> Tensor:
    """The pairs that a mask of 0 and -inf hides; the least finite number is as good as -inf."""
    found = mask <= torch.finfo(mask.dtype).min
    if bool((~found & (mask != 0)).any()):
        raise ValueError("a mask of floats: a number that is not 0 or -inf")
    return found


@hidden.register_fake
def _(mask: Tensor) -> Tensor:
    return torch.empty_like(mask, dtype=torch.bool)


hidden.register_vmap(lambda info, dims, mask: (hidden(mask), dims[0]))


@torch.library.custom_op("oa::optima", mutates_args=())
def optima(J: Tensor, h: Tensor, levels: int, solver: str, max_nodes: int) -> Tensor:
    """The minima over `levels` equal steps from 0 to 1, found on the CPU."""
    words = [f"--solver={solver}", f"--threads={torch.get_num_threads()}"]
    if max_nodes > 0:
        words.append(f"--max-nodes={max_nodes}")

    def solve(j: Tensor, linear: Tensor) -> tuple[Tensor]:
        found = _oa.solve_batch(
            _numpy(j), _numpy(linear), "binary", None if levels == 2 else levels, words
        )
        return (torch.from_numpy(found.x).to(h.dtype),)

    (x,) = _finite(solve, ((J + J.mT) / 2).float().cpu(), h.float().cpu())
    return ((x * (levels - 1)).round() / (levels - 1)).to(h.device)


@optima.register_fake
def _(J: Tensor, h: Tensor, levels: int, solver: str, max_nodes: int) -> Tensor:
    return torch.empty_like(h)


def _in_front(size: int, dim: int | None, value: Tensor) -> Tensor:
    """The dimension of vmap and the batch as one."""
    value = value.expand(size, *value.shape) if dim is None else value.movedim(dim, 0)
    return value.reshape(-1, *value.shape[2:])


_Operator = Callable[..., Tensor | tuple[Tensor, ...]]
_Rule = Callable[..., tuple[Tensor, int] | tuple[tuple[Tensor, ...], tuple[int, ...]]]


def _vmap(operator: _Operator, tensors: int) -> _Rule:
    def rule(
        info: Vmap, dims: tuple[int | None, ...], *arguments: Tensor
    ) -> tuple[Tensor, int] | tuple[tuple[Tensor, ...], tuple[int, ...]]:
        flat = [
            _in_front(info.batch_size, d, a) for d, a in zip(dims[:tensors], arguments[:tensors])
        ]
        found = operator(*flat, *arguments[tensors:])
        size = info.batch_size
        if isinstance(found, Tensor):
            return found.reshape(size, -1, *found.shape[1:]), 0
        return tuple(f.reshape(size, -1, *f.shape[1:]) for f in found), (0,) * len(found)

    return rule


relax.register_vmap(_vmap(relax, 2))
relax_backward.register_vmap(_vmap(relax_backward, 4))
marginals.register_vmap(_vmap(marginals, 2))
marginals_backward.register_vmap(_vmap(marginals_backward, 3))
states.register_vmap(_vmap(states, 2))
optima.register_vmap(_vmap(optima, 2))
multiplier.register_vmap(_vmap(multiplier, 3))
