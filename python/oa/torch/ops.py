"""Operators of PyTorch: on the CPU the kernels of the library, elsewhere those of PyTorch."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from oa import _oa
from oa.torch import elsewhere


def _check_finite(value: Tensor, name: str) -> None:
    if not bool(torch.isfinite(value).all()):
        raise ValueError(f"{name}: a number that is not finite")


def _check_semidefinite(J: Tensor, slack: float) -> None:
    """Refuses couplings that have no Cholesky factor, shifted by slack times the trace."""
    doubled = J + J.mT
    if J.device.type != "mps":  # it has no double precision
        doubled = doubled.double()
    diagonal = doubled.diagonal(dim1=-2, dim2=-1)
    trace = diagonal.sum(-1, keepdim=True).clamp_min(0)
    diagonal += slack * trace + torch.finfo(doubled.dtype).tiny
    if bool(torch.linalg.cholesky_ex(doubled).info.any()):
        _check_finite(J, "J")
        raise ValueError(
            "J: not positive semidefinite: minima may be local ones (check=False accepts it)"
        )


def _numpy(value: Tensor) -> Any:
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
    if slack >= 0:
        _check_semidefinite(J, slack)
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
        _check_finite(J, "J")
        _check_finite(h, "h")
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
    if J.device.type != "cpu":
        w = elsewhere.systems((J + J.mT) / 2, root, dx, free)
    else:
        w = torch.empty(x.shape, dtype=x.dtype)
        _oa.relax_systems(
            free, _numpy(J), _numpy(root), _numpy(dx), accuracy,
            torch.get_num_threads(), w.numpy(),
        )  # fmt: skip
    dj = w.mT @ x
    return (dj + dj.mT) / -2, -w


@relax_backward.register_fake
def _(
    J: Tensor, x: Tensor, root: Tensor, dx: Tensor, free: bool, accuracy: float
) -> tuple[Tensor, Tensor]:
    return torch.empty_like(J), torch.empty_like(x)


def _no_second_derivative(*_: Any) -> Any:
    raise NotImplementedError("oa.torch: coefficients have no second derivative")


def _keep(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    J, _, kind, _, _, _, accuracy, *_ = inputs
    x, root = output
    ctx.save_for_backward(J, x, root)
    ctx.mark_non_differentiable(root)
    ctx.free = kind in ("box", "lasso")
    ctx.accuracy = accuracy


def _relax_gradient(ctx: Any, dx: Tensor, _: Any) -> Any:
    J, x, root = ctx.saved_tensors
    dj, dh = relax_backward(J, x, root, dx, ctx.free, ctx.accuracy)
    return dj, dh, *8 * (None,)


relax.register_autograd(_relax_gradient, setup_context=_keep)
relax_backward.register_autograd(_no_second_derivative)


class _Relaxation(torch.autograd.Function):
    """relax() for torch.func, which does not take operators with a derivative."""

    generate_vmap_rule = True

    @staticmethod
    def forward(*inputs: Any) -> tuple[Tensor, Tensor]:
        return relax(*inputs)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
        _keep(ctx, inputs, output)
        ctx.save_for_forward(inputs[0], *output)

    @staticmethod
    def backward(ctx: Any, dx: Tensor, _: Any) -> Any:
        dj, dh = _Gradient.apply(*ctx.saved_tensors, dx, ctx.free, ctx.accuracy)
        return dj, dh, *8 * (None,)

    @staticmethod
    def jvp(ctx: Any, dj: Tensor | None, dh: Tensor | None, *_: Any) -> Any:
        J, x, root = ctx.saved_tensors
        moved = torch.zeros_like(x) if dh is None else dh
        if dj is not None:
            moved = moved + x @ (dj + dj.mT) / 2
        return _Gradient.apply(J, x, root, moved, ctx.free, ctx.accuracy)[1], None


class _Gradient(torch.autograd.Function):
    """relax_backward() for torch.func."""

    generate_vmap_rule = True

    @staticmethod
    def forward(*inputs: Any) -> tuple[Tensor, Tensor]:
        return relax_backward(*inputs)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
        pass

    backward = jvp = staticmethod(_no_second_derivative)


def relaxed(*inputs: Any) -> Tensor:
    """The coefficients of relax(), with their derivative."""
    # torch.compile takes operators only.
    call = relax if torch.compiler.is_compiling() else _Relaxation.apply
    x: Tensor = call(*inputs)[0]
    return x


@torch.library.custom_op("oa::optima", mutates_args=())
def optima(J: Tensor, h: Tensor, levels: int, solver: str, max_nodes: int) -> Tensor:
    """The minima over `levels` equal steps from 0 to 1, found on the CPU."""
    j = ((J + J.mT) / 2).float().cpu()
    linear = h.float().cpu()
    _check_finite(j, "J")
    _check_finite(linear, "h")
    words = [f"--solver={solver}", f"--threads={torch.get_num_threads()}"]
    if max_nodes > 0:
        words.append(f"--max-nodes={max_nodes}")
    found = _oa.solve_batch(
        _numpy(j), _numpy(linear), "binary", None if levels == 2 else levels, words
    )
    x = torch.from_numpy(found[0]).to(h.dtype)
    return ((x * (levels - 1)).round() / (levels - 1)).to(h.device)


@optima.register_fake
def _(J: Tensor, h: Tensor, levels: int, solver: str, max_nodes: int) -> Tensor:
    return torch.empty_like(h)


def _in_front(size: int, dim: int | None, value: Tensor) -> Tensor:
    """The dimension of vmap and the batch as one."""
    value = value.expand(size, *value.shape) if dim is None else value.movedim(dim, 0)
    return value.reshape(-1, *value.shape[2:])


def _vmap(operator: Any, tensors: int) -> Any:
    def rule(info: Any, dims: tuple[int | None, ...], *arguments: Any) -> Any:
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
optima.register_vmap(_vmap(optima, 2))
