"""The mathematics of the kernels in operations of PyTorch, for tensors on any device.

Couplings J are (b,m,m), symmetric; linear terms h are (b,n,m).  This file needs PyTorch only.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

_MOST_ITERATIONS = 4000
_CHECK_EVERY = 25


def _accuracy(dtype: torch.dtype) -> float:
    return 1e-13 if dtype == torch.float64 else 3e-7


def _conjugate_gradients(product: Callable[[Tensor], Tensor], b: Tensor, most: int) -> Tensor:
    """Solves a positive semidefinite system for each row of b, which is in its range."""
    y = torch.zeros_like(b)
    r = b.clone()
    p = r.clone()
    size = (r * r).sum(-1, keepdim=True)
    goal = size * _accuracy(b.dtype) ** 2
    for _ in range(most):
        open_ = size > goal
        if not bool(open_.any()):
            break
        q = product(p)
        along = (p * q).sum(-1, keepdim=True)
        step = torch.where(open_ & (along > 0), size / along.clamp_min(1e-300), 0)
        y = y + step * p
        r = r - step * q
        after = (r * r).sum(-1, keepdim=True)
        p = r + torch.where(open_, after / size.clamp_min(1e-300), 0) * p
        size = torch.where(step == 0, 0, after)
    return y


def systems(J: Tensor, root: Tensor, b: Tensor, free: bool) -> Tensor:
    """w with (J + diag(1/root^2)) w = b; free: J_FF w_F = b_F where root is not 0."""

    def product(y: Tensor) -> Tensor:
        jy = root * ((root * y) @ J)
        return jy if free else y + jy

    return root * _conjugate_gradients(product, root * b, 4 * b.shape[-1] + 20)


def _gradient(J: Tensor, h: Tensor, x: Tensor) -> Tensor:
    return x @ J + h


def _admm(
    J: Tensor, h: Tensor, project: Callable[[Tensor, Tensor], Tensor],
    error: Callable[[Tensor], Tensor],
) -> Tensor:  # fmt: skip
    """Over-relaxed ADMM, until error(x) is small or stops falling."""
    m = J.shape[-1]
    rho = 0.3 * torch.linalg.matrix_norm(J)[:, None, None] / m**0.5
    rho = rho.clamp_min(1e-12)
    eye = torch.eye(m, dtype=J.dtype, device=J.device)
    inverse = torch.linalg.inv(J + rho * eye)
    fixed = -h @ inverse
    z = torch.zeros_like(h)
    u = torch.zeros_like(h)
    for k in range(1, _MOST_ITERATIONS + 1):
        x = fixed + rho * (z - u) @ inverse
        x = 1.6 * x - 0.6 * z
        z = project(x + u, rho)
        u = u + x - z
        if k % _CHECK_EVERY == 0 and float(error(z).max()) <= _accuracy(J.dtype):
            break
    return z


def _finish(
    J: Tensor, x: Tensor, linear: Callable[[Tensor], Tensor],
    inside: Callable[[Tensor], Tensor], back: Callable[[Tensor, Tensor], Tensor],
    error: Callable[[Tensor], Tensor],
) -> Tensor:  # fmt: skip
    """Moves the free coordinates to their common minimum, in rows where that helps."""
    for _ in range(4):
        free = inside(x).to(x.dtype)
        step = systems(J, free, -linear(x), True)
        moved = back(x + step, x)
        better = error(moved).amax(-1, keepdim=True) < error(x).amax(-1, keepdim=True)
        x = torch.where(better, moved, x)
        if not bool(better.any()):
            break
    return x


def box(J: Tensor, h: Tensor) -> Tensor:
    """The minima of x'Jx/2 + h'x over [0,1]^m."""
    diagonal = J.diagonal(dim1=-2, dim2=-1)[:, None, :].clamp_min(1e-30)

    def error(x: Tensor) -> Tensor:
        return ((x - _gradient(J, h, x) / diagonal).clamp(0, 1) - x).abs()

    # A larger term gives the same bound; its products would drown all other products.
    most = 2 * J.abs().sum(-1)[:, None, :]
    h = torch.where(most > 0, h.clamp(-most, most), h)
    x = _admm(J, h, lambda t, rho: t.clamp(0, 1), error)
    return _finish(
        J, x, lambda x: _gradient(J, h, x), lambda x: (x > 0) & (x < 1),
        lambda moved, x: moved.clamp(0, 1), error,
    )  # fmt: skip


def within(
    J: Tensor, h: Tensor, unit_box: Callable[[Tensor, Tensor], Tensor], lo: float, hi: float,
    temperature: float | None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The minima of x'Jx/2 + h'x over lo <= x <= hi, and roots as those of relax().

    `unit_box` finds minima over [0,1].  A row is solved in an interval around the feasible
    point nearest to 0, which grows until no coordinate ends where only the interval ends.
    Double precision is used where the device has it.
    """
    given = h.dtype
    lo, hi = (
        math.copysign(math.inf, b) if abs(b) > torch.finfo(given).max else b for b in (lo, hi)
    )
    start = min(max(lo, 0.0), hi)
    if J.device.type != "mps":
        J, h = J.double(), h.double()
    kind = torch.finfo(h.dtype)
    J = (J + J.mT) / 2
    sums = J.sum(-1)[:, None, :]
    g = h + start * sums
    leaves = ((g < 0) & (start < hi)) | ((g > 0) & (start > lo))
    curvature = J.diagonal(dim1=-2, dim2=-1).amax(-1)[:, None, None]
    reach = torch.where(leaves, g.abs(), 0).amax(-1, keepdim=True) / curvature
    reach = torch.where((reach > 0) & (reach < kind.max / 2), reach, 1)
    most = reach / kind.eps
    while True:
        low, high = (start - reach).clamp_min(lo), (start + reach).clamp_max(hi)
        y = unit_box(J, (h + low * sums) / (high - low))
        x = torch.where(y < 1, (low + (high - low) * y).clamp(low, high), high)
        short = ((x <= low) & (low > lo)) | ((x >= high) & (high < hi))
        short = short.any(-1, keepdim=True)
        if not bool(short.any()):
            break
        if math.isinf(hi - lo) and bool((short & (reach > most)).any()):
            raise ValueError("lo, hi: no minimum was found (expected finite bounds)")
        reach = torch.where(short, 8 * reach, reach)
    if temperature is None:
        return x.to(given), ((x > lo) & (x < hi)).to(given)
    e = torch.exp(-_gradient(J, h, x).abs() / ((hi - lo) * temperature))
    return x.to(given), ((e / temperature).sqrt() / (1 + e)).to(given)


def root(f: Callable[[Tensor], Tensor], step: Tensor, goal: Tensor) -> Tensor:
    """The zeros of decreasing functions, a row each, by regula falsi and bisection in turn.

    `step` is the first distance from 0 to look at; |f| <= goal is near enough.
    """
    last = torch.zeros_like(step)
    f_last = f(last)
    sign = f_last.sign()
    mu = sign * step
    f_mu = f(mu)
    for _ in range(60):
        open_ = f_mu * sign > goal
        if not bool(open_.any()):
            break
        last, f_last = torch.where(open_, mu, last), torch.where(open_, f_mu, f_last)
        mu = torch.where(open_, 4 * mu, mu)
        f_mu = f(mu)
    for k in range(100):
        width = (mu - last).abs() > 4 * torch.finfo(mu.dtype).eps * mu.abs()
        open_ = (f_mu.abs() > goal) & width
        if not bool(open_.any()):
            break
        share = f_mu / (f_mu - f_last) if k % 3 < 2 else 0.5
        between = torch.where(open_, mu + (last - mu) * share, mu)
        f_between = torch.where(open_, f(between), f_mu)
        same = f_between * f_mu > 0
        last = torch.where(same, last, mu)
        f_last = torch.where(same, f_last / 2, f_mu)  # so that the other end moves, too
        mu, f_mu = between, f_between
    return mu


def lasso(J: Tensor, h: Tensor, penalty: float) -> Tensor:
    """The minima of x'Jx/2 + h'x + penalty |x|_1."""
    diagonal = J.diagonal(dim1=-2, dim2=-1)[:, None, :].clamp_min(1e-30)

    def shrunk(t: Tensor, by: Tensor) -> Tensor:
        return t.sign() * (t.abs() - by).clamp_min(0)

    def error(x: Tensor) -> Tensor:
        return (shrunk(x - _gradient(J, h, x) / diagonal, penalty / diagonal) - x).abs()

    x = _admm(J, h, lambda t, rho: shrunk(t, penalty / rho), error)
    return _finish(
        J, x, lambda x: _gradient(J, h, x) + penalty * x.sign(), lambda x: x != 0,
        lambda moved, x: torch.where(moved * x < 0, 0, moved), error,
    )  # fmt: skip


def mean_field(J: Tensor, h: Tensor, temperature: float) -> tuple[Tensor, Tensor]:
    """x = sigmoid(-(Jx + h)/T) and sqrt(x(1-x)/T), by Newton's method while it cools."""
    stiffest = float(J.diagonal(dim1=-2, dim2=-1).max())
    t = max(temperature, 0.07 * stiffest)
    p = h.clamp_min(0)
    while True:
        p = _newton(J, h, t, p)
        if t <= temperature:
            break
        cooler = max(temperature, 0.4 * t)
        p = p * (cooler / t)  # x stays the same
        t = cooler
    x = torch.sigmoid(-_gradient(J, h, torch.sigmoid(-p / t)) / t)
    root = (x * (1 - x) / t).sqrt()
    return x, torch.where(root < 1e-5, 0, root)


def _newton(J: Tensor, h: Tensor, t: float, p: Tensor) -> Tensor:
    def apart(p: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x = torch.sigmoid(-p / t)
        g = _gradient(J, h, x)
        return (torch.sigmoid(-g / t) - x).abs().amax(-1, keepdim=True), x, g

    distance, x, g = apart(p)
    goal = _accuracy(J.dtype) * 0.1
    for _ in range(60):
        if float(distance.max()) <= goal:
            break
        root = (x * (1 - x) / t).sqrt()
        r = g - p
        step = r + systems(J, root, -r, False) @ J
        length = torch.ones_like(distance)
        for _ in range(10):
            moved, mx, mg = apart(p + length * step)
            worse = moved >= distance
            if not bool(worse.any()):
                break
            length = torch.where(worse, length / 2, length)
        better = moved < distance
        if not bool(better.any()):
            break
        p = torch.where(better, p + length * step, p)
        distance, x, g = apart(p)
    return p


def relax(
    J: Tensor, h: Tensor, kind: str, temperature: float, penalty: float
) -> tuple[Tensor, Tensor]:
    """The relaxed coefficients, and the roots that systems() takes for their gradient."""
    J = (J + J.mT) / 2
    if kind == "mean_field":
        return mean_field(J, h, temperature)
    if kind == "lasso":
        x = lasso(J, h, penalty)
        return x, (x != 0).to(x.dtype)
    x = box(J, h)
    if kind == "box":
        return x, ((x > 0) & (x < 1)).to(x.dtype)
    e = torch.exp(-_gradient(J, h, x).abs() / temperature)
    return x, (e / temperature).sqrt() / (1 + e)
