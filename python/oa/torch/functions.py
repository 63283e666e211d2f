"""Quadratic problems as functions of PyTorch, with gradients of J and h."""

from __future__ import annotations

import math
from typing import Literal

import torch
import torch.autograd.forward_ad as fwAD
from torch import Tensor

from oa import _types
from oa.torch import ops

Solver = _types.Solver | Literal["round"]
Relaxation = Literal["mean_field", "box"]
Gradient = Literal["implicit", "smoothed"]

_MARGINALS = 24  # variables of a sum over all states
_NODES = 100_000  # of a binary problem, as in the training of the tools
_LEVEL_NODES = 1_000_000
_HAVE_NODES = ("auto", "exact")  # solvers with a search tree
_HALF = (torch.float16, torch.bfloat16)
_ROUNDING = 1e-6  # share of the trace by which sums may have moved an eigenvalue of J


def box_qp(
    J: Tensor, h: Tensor, lo: float = 0.0, hi: float = 1.0, *,
    total: float | Tensor | None = None, budget: float | Tensor | None = None,
    gradient: Gradient = "implicit", temperature: float = 0.05, tolerance: float = 1e-7,
    accuracy: float = 1e-6, check: bool = True,
) -> Tensor:  # fmt: skip
    """Returns the minima of x'Jx/2 + h'x with lo <= x <= hi.

    Over [0,1] in float32 `tolerance` is the last move of a coordinate, in at most 1000 sweeps; an
    ill-conditioned J needs float64.

    Parameters
    ----------
    J : Tensor
        Couplings, (...,m,m); positive semidefinite; the symmetric part counts.
    h : Tensor
        Linear terms, (...,n,m): n problems for each J, or (...,m), one for each.

    lo, hi : float, default 0 and 1
        The bounds, which may be infinite.
    total : float or Tensor, optional
        The sum of x; a tensor has a number for each problem, and a gradient.
    budget : float or Tensor, optional
        What the sum of x may be at most, as `total`.
    gradient : {"implicit", "smoothed"}, default "implicit"
        That of the solution on the coordinates between the bounds, or that of lo + w
        sigmoid(-(Jx + h)/(w temperature)) with w = hi - lo, which coordinates at a bound
        have, too.
    temperature : float, default 0.05
        That of the smoothed gradient.
    tolerance : float, default 1e-7
        See above.
    accuracy : float, default 1e-6
        That of the systems of a smoothed gradient in float32.
    check : bool, default True
        Refuse a J with an eigenvalue below -1e-6 of its trace (half precision: -eps), whose
        minima may be local ones.

    Returns
    -------
    Tensor
        The coefficients, in the shape of h; NaN for a problem with a number that is not
        finite.

    Raises
    ------
    ValueError
        If J is not positive semidefinite, or no x has the sum.

    Examples
    --------
    >>> import torch
    >>> J = torch.tensor([[2.0, 1.0], [1.0, 2.0]])
    >>> box_qp(J, torch.tensor([-2.0, -1.0]))
    tensor([1., 0.])
    >>> box_qp(J, torch.tensor([-6.0, 3.0]), 0, torch.inf)
    tensor([3., 0.])
    >>> box_qp(J, torch.tensor([-2.0, -1.0]), total=1.5)
    tensor([1.0000, 0.5000])
    >>> h = torch.tensor([-0.5, 1.0], requires_grad=True)
    >>> box_qp(J, h)[0].backward()
    >>> h.grad
    tensor([-0.5000, -0.0000])
    """
    if gradient not in ("implicit", "smoothed"):
        raise ValueError(f"gradient: {gradient!r} (expected implicit or smoothed)")
    if not lo < hi:
        raise ValueError(f"lo, hi: {lo} and {hi} (expected lo < hi)")
    temperature = _above_0("temperature", temperature)
    kind = "box" if gradient == "implicit" else "smoothed"
    return _relaxed(
        J, h, kind, temperature, 0.0, tolerance, accuracy, float(lo), float(hi), check,
        total, budget,
    )  # fmt: skip


def mean_field(
    J: Tensor, h: Tensor, temperature: float | Tensor = 0.3, *, tolerance: float = 1e-7,
    accuracy: float = 1e-6,
) -> Tensor:  # fmt: skip
    """Returns x = sigmoid(-(Jx + h)/temperature), with its derivative.

    Parameters
    ----------
    J : Tensor
        Couplings, (...,m,m); the symmetric part counts.
    h : Tensor
        Linear terms, (...,n,m): n problems for each J, or (...,m), one for each.

    temperature : float or Tensor, default 0.3
        Above 0; a tensor has a gradient, too.
    tolerance, accuracy : float
        As in :func:`box_qp`.

    Returns
    -------
    Tensor
        The coefficients, in the shape of h; NaN for a problem with a number that is not
        finite.

    Examples
    --------
    >>> import torch
    >>> mean_field(torch.zeros(1, 1), torch.zeros(1))
    tensor([0.5000])
    """
    if is_learned(temperature):
        J, h, temperature = *_divided(J, h, "temperature", temperature), 1.0
    temperature = _above_0("temperature", temperature)
    return _relaxed(J, h, "mean_field", temperature, 0.0, tolerance, accuracy)


def lasso_qp(
    J: Tensor, h: Tensor, penalty: float | Tensor, *, check: bool = True
) -> Tensor:  # fmt: skip
    """Returns the minima of x'Jx/2 + h'x + penalty |x|_1, x of any sign, with their derivative.

    Parameters
    ----------
    J : Tensor
        Couplings, (...,m,m); the symmetric part counts.
    h : Tensor
        Linear terms, (...,n,m): n problems for each J, or (...,m), one for each.

    penalty : float or Tensor
        At least 0; a tensor above 0 has a gradient, too.
    check : bool, default True
        As in :func:`box_qp`.

    Returns
    -------
    Tensor
        The coefficients, in the shape of h; NaN for a problem with a number that is not
        finite.

    Examples
    --------
    >>> import torch
    >>> lasso_qp(torch.eye(2), torch.tensor([-2.0, 0.5]), 1.0)
    tensor([1., 0.])
    """
    if is_learned(penalty):
        J, h = _divided(J, h, "penalty", penalty)
        return _relaxed(J, h, "lasso", 1.0, 1.0, 0.0, check=check)
    if not penalty >= 0:
        raise ValueError(f"penalty: {penalty} (expected at least 0)")
    return _relaxed(J, h, "lasso", 1.0, float(penalty), 0.0, check=check)


def marginals(
    J: Tensor, h: Tensor, temperature: float | Tensor = 1.0, *, reads: int | None = None,
    seed: int = 1,
) -> Tensor:  # fmt: skip
    """Returns P(x_k = 1) of x in {0,1}^m with weights exp(-(x'Jx/2 + h'x)/temperature).

    Exact, by the sum over all states on the CPU: a problem takes some 7 2^m ns.  Gradients are
    covariances; there is no forward mode.  With `reads`, for any m, both are those of so many
    states of :func:`oa.sample`: replica exchange, or independent states of a tree
    decomposition.  Probabilities have errors of about 1 / (2 sqrt(reads)) or less.

    Parameters
    ----------
    J : Tensor
        Couplings, (...,m,m), without `reads` with m up to 24; the symmetric part counts.
    h : Tensor
        Linear terms, (...,n,m): n problems for each J, or (...,m), one for each.

    temperature : float or Tensor, default 1.0
        Above 0; a tensor has a gradient, too.
    reads : int, optional
        The number of states to draw, at least 2.
    seed : int, default 1
        Seed of the first problem; each other has the next one.

    Returns
    -------
    Tensor
        The probabilities, in the shape of h; NaN for a problem with a number that is not
        finite.

    Raises
    ------
    ValueError
        If m is above 24 without `reads`; :func:`mean_field` has no limit.

    Examples
    --------
    >>> import torch
    >>> J = torch.tensor([[0.0, 4.0], [4.0, 0.0]])
    >>> marginals(J, torch.tensor([-1.0, -1.0]))
    tensor([0.4342, 0.4342])
    """
    if is_learned(temperature):
        J, h, temperature = *_divided(J, h, "temperature", temperature), 1.0
    temperature = _above_0("temperature", temperature)
    J, h = _common(J, h)
    _check(J, h)
    m = h.shape[-1]
    if reads is None and m > _MARGINALS:
        raise ValueError(
            f"h: {m} variables (expected at most {_MARGINALS}, or reads, or mean_field)"
        )
    if reads is not None and reads < 2:
        raise ValueError(f"reads: {reads} (expected at least 2)")
    shape, dtype = h.shape, h.dtype
    if dtype in _HALF:
        J, h = J.float(), h.float()
    J, h = _batch(J, h)
    p = (
        ops.exact_marginals(J, h, temperature)
        if reads is None
        else ops.sampled_marginals(J, h, temperature, reads, seed)
    )
    return p.reshape(shape).to(dtype)


def binary_qp(
    J: Tensor, h: Tensor, solver: Solver = "exact", *, total: int | None = None,
    budget: int | None = None, relaxation: Relaxation = "mean_field",
    temperature: float = 0.3, tolerance: float = 1e-7, max_nodes: int | None = None,
) -> Tensor:  # fmt: skip
    """Returns the minima of x'Jx/2 + h'x over 0 and 1.

    Problems are solved in float32.  A sum is held by a penalty that suffices.

    Parameters
    ----------
    J : Tensor
        Couplings, (...,m,m); the symmetric part counts.
    h : Tensor
        Linear terms, (...,n,m): n problems for each J, or (...,m), one for each.

    solver : str, default "exact"
        One of oa-anneal(1), or "round": the nearest values of the box QP.
    total : int, optional
        So many coefficients are 1.
    budget : int, optional
        At most so many coefficients are 1.

    relaxation : {"mean_field", "box"}, default "mean_field"
        Whose gradient it gets: that of :func:`mean_field`, or the smoothed one of
        :func:`box_qp`, with the same constraint.
    temperature : float, default 0.3
        That of the relaxation.
    tolerance : float, default 1e-7
        That of the relaxation.
    max_nodes : int, optional
        Then auto and exact stop with the best solution found; 100,000 by default, for
        levels 1,000,000, 0 for never.

    Returns
    -------
    Tensor
        The coefficients, in the shape of h; NaN for a problem with a number that is not
        finite.

    Examples
    --------
    >>> import torch
    >>> J, h = torch.tensor([[2.0, 1.0], [1.0, 2.0]]), torch.tensor([-2.0, -1.5])
    >>> binary_qp(J, h)
    tensor([1., 0.])
    >>> binary_qp(J, h, total=2)
    tensor([1., 1.])
    """
    return _discrete(
        J, h, 2, solver, relaxation, temperature, tolerance, max_nodes, total, budget
    )  # fmt: skip


def levels_qp(
    J: Tensor, h: Tensor, levels: int, solver: Solver = "exact", *,
    total: float | None = None, budget: float | None = None,
    relaxation: Relaxation = "mean_field", temperature: float = 0.3, tolerance: float = 1e-7,
    max_nodes: int | None = None,
) -> Tensor:  # fmt: skip
    """Returns the minima of x'Jx/2 + h'x over equal steps from 0 to 1, as :func:`binary_qp`.

    Parameters
    ----------
    J : Tensor
        Couplings, (...,m,m); the symmetric part counts.
    h : Tensor
        Linear terms, (...,n,m): n problems for each J, or (...,m), one for each.

    levels : int
        The number of values, 2 to 16.
    solver : str, default "exact"
        As in :func:`binary_qp`.
    total : float, optional
        The sum of x, a multiple of a step.
    budget : float, optional
        What the sum of x may be at most, a multiple of a step.

    relaxation : {"mean_field", "box"}, default "mean_field"
        Whose gradient it gets: that of :func:`mean_field`, or the smoothed one of
        :func:`box_qp`, with the same constraint.
    temperature : float, default 0.3
        That of the relaxation.
    tolerance : float, default 1e-7
        That of the relaxation.
    max_nodes : int, optional
        Then auto and exact stop with the best solution found; 100,000 by default, for
        levels 1,000,000, 0 for never.

    Returns
    -------
    Tensor
        The coefficients, in the shape of h; NaN for a problem with a number that is not
        finite.

    Examples
    --------
    >>> import torch
    >>> levels_qp(torch.eye(1), torch.tensor([-0.4]), 3)
    tensor([0.5000])
    """
    if not isinstance(levels, int) or not 2 <= levels <= 16:
        raise ValueError(f"levels: {levels!r} (expected 2 to 16)")
    return _discrete(
        J, h, levels, solver, relaxation, temperature, tolerance, max_nodes, total, budget
    )  # fmt: skip


def rounded(x: Tensor, levels: int, steps: int | None = None, at_most: bool = False) -> Tensor:
    """The nearest of `levels` levels; a half goes down.

    With `steps`, the sum of x in steps (or with `at_most` its bound), the largest remainders
    go up, as many as that takes.

    >>> import torch
    >>> rounded(torch.tensor([0.2, 0.5, 0.6]), 2)
    tensor([0., 0., 1.])
    """
    top = levels - 1
    up = (top * x.detach() - 0.5).ceil().clamp_min(0).abs()
    if steps is not None:
        down = (top * x.detach() + 1e-4).floor()
        left = top * x.detach() - down
        missing = steps - down.sum(-1, keepdim=True)
        if at_most:
            missing = torch.minimum(missing, (left > 0.5).sum(-1, keepdim=True))
        order = left.argsort(dim=-1, descending=True, stable=True).argsort(dim=-1)
        up = (down + (order < missing)).clamp_max(top)
        excess = up.sum(-1, keepdim=True) - steps
        # Minima of a function that is not convex may have another sum: the largest are filled.
        rank = x.detach().argsort(dim=-1, descending=True, stable=True).argsort(dim=-1)
        filled = (steps - top * rank).clamp(0, top)
        up = torch.where(excess > 0 if at_most else excess != 0, filled, up)
        up = up + 0 * x.detach()  # NaN stays
    return up / top


def _discrete(
    J: Tensor, h: Tensor, levels: int, solver: str, relaxation: str, temperature: float,
    tolerance: float, max_nodes: int | None, total: float | None, budget: float | None,
) -> Tensor:  # fmt: skip
    if relaxation not in ("mean_field", "box"):
        raise ValueError(f"relaxation: {relaxation!r} (expected mean_field or box)")
    temperature = _above_0("temperature", temperature)
    J, h = _common(J, h)
    _check(J, h)
    steps = _steps(total, budget, levels, h.shape[-1]) if h.numel() else None

    def relax(kind: str, J: Tensor, h: Tensor) -> Tensor:
        return _relaxed(
            J, h, kind, temperature, 0.0, tolerance, total=total, budget=budget
        )  # fmt: skip

    kind = "mean_field" if relaxation == "mean_field" else "smoothed"
    relaxed = relax(kind, J, h) if learns(J, h) else None
    J, h = J.detach(), h.detach()
    best = None
    if solver == "round" or steps is not None:
        box = relaxed if relaxed is not None and relaxation == "box" else relax("smoothed", J, h)
        best = rounded(box, levels, steps, budget is not None)
    if solver != "round":
        if max_nodes is None:
            nodes = _NODES if levels == 2 else _LEVEL_NODES
            max_nodes = nodes if solver in _HAVE_NODES else 0
        posed = (J, h) if steps is None else _penalised(J, h, levels, steps, budget is not None)
        x = ops.optima(*_batch(*posed), levels, solver, max_nodes)
        x = x[..., : h.shape[-1]].reshape(h.shape)
        if steps is not None:  # the nearest, if the search ended before it had the sum
            excess = ((levels - 1) * x.double()).sum(-1, keepdim=True).round() - steps
            x = torch.where((excess > 0) if budget is not None else (excess != 0), best, x)
        best = x
    assert best is not None
    return best if relaxed is None else best + (relaxed - relaxed.detach())


def _steps(total: float | None, budget: float | None, levels: int, m: int) -> int | None:
    """The sum of m coefficients in steps; None without a constraint."""
    if total is not None and budget is not None:
        raise ValueError("budget: not with total")
    for name, value in (("total", total), ("budget", budget)):
        if value is None:
            continue
        if isinstance(value, Tensor):
            raise TypeError(f"{name}: a tensor (expected a number)")
        steps = round(value * (levels - 1))
        if abs(value * (levels - 1) - steps) > 1e-6 or not 0 <= steps <= m * (levels - 1):
            raise ValueError(f"{name}: {value} (expected a multiple of a step from 0 to {m})")
        return steps
    return None


def _penalised(J: Tensor, h: Tensor, levels: int, steps: int, slack: bool) -> tuple[Tensor, Tensor]:
    """Problems whose minima over `levels` levels are those with the sum; `slack`: or less.

    The penalty for a sum that is one step off is at least what a step of one coefficient
    costs.  Coefficients for the missing part of the sum follow those of h.
    """
    kind, step = h.dtype, 1 / (levels - 1)
    J, h = (J + J.mT).double() / 2, h.double()
    if h.ndim == J.ndim - 1:
        h = h.unsqueeze(-2)
    diagonal = J.diagonal(dim1=-2, dim2=-1)
    rest = J - torch.diag_embed(diagonal)
    own = torch.stack((diagonal * step / 2, diagonal * (1 - step / 2)))
    most = (h + (rest.clamp_min(0).sum(-1) + own.amax(0)).unsqueeze(-2)).amax(-1, keepdim=True)
    least = (h + (rest.clamp_max(0).sum(-1) + own.amin(0)).unsqueeze(-2)).amin(-1, keepdim=True)
    if slack:
        shift = torch.zeros_like(least)
        weight = (-least).clamp_min(0)
    else:  # all linear terms may be moved together
        shift = -(most + least) / 2
        weight = (most - least) / 2
    weight = torch.where(torch.isfinite(weight), weight, 0).amax(-2, keepdim=True)
    weight = (1.01 * weight + torch.finfo(kind).tiny) / step
    ones = [1.0] * h.shape[-1]
    while slack and sum(ones[h.shape[-1] :]) * (levels - 1) < steps:
        ones.append(float(levels ** (len(ones) - h.shape[-1])))
    more = len(ones) - h.shape[-1]
    a = torch.tensor(ones, dtype=J.dtype, device=J.device)
    J = torch.nn.functional.pad(J, (0, more, 0, more)) + 2 * weight * a * a[:, None]
    h = torch.nn.functional.pad(h + shift, (0, more)) - 2 * weight * (steps * step) * a
    return J.to(kind), h.to(kind)


def learns(*tensors: Tensor) -> bool:
    """True if a derivative is asked for, backward or forward."""
    backward = torch.is_grad_enabled() and any(t.requires_grad for t in tensors)
    return backward or any(fwAD.unpack_dual(t).tangent is not None for t in tensors)


def is_learned(value: float | Tensor) -> bool:
    """True for a tensor whose derivative is asked for."""
    return isinstance(value, Tensor) and learns(value)


def _above_0(name: str, value: float | Tensor) -> float:
    if is_learned(value):
        raise ValueError(f"{name}: it gets no gradient here (expected no requires_grad)")
    if not value > 0:
        raise ValueError(f"{name}: {value} (expected above 0)")
    return float(value)


def _divided(J: Tensor, h: Tensor, name: str, by: Tensor) -> tuple[Tensor, Tensor]:
    """The problem with the temperature or penalty 1 that has the same solution."""
    J, h = _common(J, h)
    _check(J, h)
    if by.numel() != 1:
        raise ValueError(f"{name}: shape {tuple(by.shape)} (expected one number)")
    if not by > 0:
        raise ValueError(f"{name}: {by.item()} (expected above 0)")
    by = by.reshape(())
    return J / by, h / by


def _check(J: Tensor, h: Tensor) -> None:
    for name, value in (("J", J), ("h", h)):
        if not isinstance(value, Tensor):
            raise TypeError(f"{name}: {type(value).__name__} (expected a tensor)")
        if value.dtype not in (torch.float32, torch.float64, *_HALF):
            raise TypeError(f"{name}: elements of type {value.dtype} (expected float32 or float64)")
        if value.layout != torch.strided:
            raise TypeError(f"{name}: layout {value.layout} (expected torch.strided)")
    if h.dtype != J.dtype:
        raise TypeError(f"h: {h.dtype} beside J of {J.dtype}")
    if h.device != J.device:
        raise ValueError(f"h: on {h.device}, J on {J.device}")
    m = J.shape[-1] if J.ndim > 1 else 0
    if m == 0 or J.shape[-2] != m:
        raise ValueError(f"J: shape {tuple(J.shape)} (expected (...,m,m))")
    if h.ndim < 1 or h.shape[-1] != m or h.ndim < J.ndim - 1:
        raise ValueError(f"h: shape {tuple(h.shape)} beside J of {tuple(J.shape)}")
    lead = h.shape[:-1] if h.ndim == J.ndim - 1 else h.shape[:-2]
    given = J.shape[:-2]
    if len(given) > len(lead) or any(
        g not in (1, n) for g, n in zip(reversed(given), reversed(lead))
    ):
        raise ValueError(f"h: shape {tuple(h.shape)} beside J of {tuple(J.shape)}")


def _common(J: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
    """Both in the wider type, where autocast has made them differ."""
    if isinstance(J, Tensor) and isinstance(h, Tensor) and J.dtype != h.dtype and is_autocast(J):
        kind = torch.promote_types(J.dtype, h.dtype)
        return J.to(kind), h.to(kind)
    return J, h


def is_autocast(x: Tensor) -> bool:
    """True if autocast is on for the device of x."""
    kind = x.device.type
    return torch.amp.is_autocast_available(kind) and torch.is_autocast_enabled(kind)


def _batch(J: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
    """J (b,m,m) and h (b,n,m)."""
    if h.ndim == J.ndim - 1:
        h = h.unsqueeze(-2)
    m = J.shape[-1]
    if J.numel() == m * m:  # one J for all
        return J.reshape(1, m, m), h.reshape(1, math.prod(h.shape[:-1]), m)
    b = math.prod(h.shape[:-2])
    return J.expand(*h.shape[:-2], m, m).reshape(b, m, m), h.reshape(b, *h.shape[-2:])


def _relaxed(
    J: Tensor, h: Tensor, kind: str, temperature: float, penalty: float, tolerance: float,
    accuracy: float = 1e-6, lo: float = 0.0, hi: float = 1.0, check: bool = False,
    total: float | Tensor | None = None, budget: float | Tensor | None = None,
) -> Tensor:  # fmt: skip
    J, h = _common(J, h)
    _check(J, h)
    if total is not None and budget is not None:
        raise ValueError("budget: not with total")
    if h.numel() == 0:
        total = budget = None
    shape, dtype = h.shape, h.dtype
    slack = _ROUNDING + torch.finfo(J.dtype).eps if check else -1.0
    if dtype in _HALF:
        J, h = J.float(), h.float()
    j, rows = _batch(J, h)
    options = (kind, temperature, penalty, tolerance, accuracy, lo, hi, slack)
    if total is not None:
        sums = _sums("total", total, h).reshape(*rows.shape[:-1], 1)
        x = ops.relaxed_to(sums, j, rows, *options)
    else:
        x = ops.relaxed(j, rows, *options)
    if budget is not None:
        most = _sums("budget", budget, h).reshape(*rows.shape[:-1], 1)
        held = ops.relaxed_to(most.clamp_max(rows.shape[-1] * hi), j, rows, *options)
        x = torch.where(x.sum(-1, keepdim=True) > most, held, x)
    return x.reshape(shape).to(dtype)


def _sums(name: str, value: float | Tensor, h: Tensor) -> Tensor:
    """A sum for each problem."""
    sums = torch.as_tensor(value, dtype=h.dtype, device=h.device)
    try:
        return sums.expand(h.shape[:-1])
    except RuntimeError:
        raise ValueError(
            f"{name}: shape {tuple(sums.shape)} beside h of {tuple(h.shape)}"
        ) from None
