"""Optimising attention in one kernel: no m x m or n x m matrix is in memory.

The couplings J = alpha k k' have the rank d of the keys.  So the coefficients of query i,
    x = phi(-(J x + h) / T),  h = penalty - beta k q_i,
depend on z = k'x in R^d only: x_j = phi(-(k_j.(alpha z - beta q_i) + penalty) / T).  A sweep
streams over tiles of keys, as softmax attention does, and takes an accelerated gradient step of
the dual problem, whose curvature is between 1 and L = 1 + alpha |k'k| max phi' / T.  phi is the
sigmoid (the mean field), or the clamp to [0,1]: the box QP of J + T I.

Backward solves y = k'w, w = S (g - alpha k y), S = phi'/T, by the same sweeps; then
    dq = beta y,  dk = sum_i beta w q_i - alpha (w z_i + x y_i),  dv = sum_i x do_i / cap.

This file needs PyTorch and Triton only.  TRITON_INTERPRET=1 runs it on a CPU.
"""

from __future__ import annotations

from typing import Protocol

import torch
import triton
import triton.language as tl
from torch import Tensor

from oa.torch.autograd import Context, Gradients


@triton.jit
def _coefficients(c, T, seen, CLAMP: tl.constexpr):  # type: ignore[no-untyped-def]
    """x and S from c = Jx + h."""
    if CLAMP:
        x = tl.minimum(tl.maximum(-c / T, 0.0), 1.0)
        slope = tl.where((x > 0.0) & (x < 1.0), 1.0 / T, 0.0)
    else:
        x = 1.0 / (1.0 + tl.exp(tl.minimum(c / T, 80.0)))
        slope = x * (1.0 - x) / T
    return tl.where(seen, x, 0.0), tl.where(seen, slope, 0.0)


@triton.jit
def _forward(  # type: ignore[no-untyped-def]
    q_, k_, v_, scales_, o_, z_, sum_, n, m, d, T, sweeps, CLAMP: tl.constexpr,
    CAUSAL: tl.constexpr, D: tl.constexpr, N: tl.constexpr, M: tl.constexpr, P: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * N + tl.arange(0, N)
    cols = tl.arange(0, D)
    at = head * n * d + rows[:, None] * d + cols[None, :]
    mine = (rows[:, None] < n) & (cols[None, :] < d)
    q = tl.load(q_ + at, mask=mine, other=0.0).to(tl.float32)
    alpha = tl.load(scales_ + head * 4)
    beta = tl.load(scales_ + head * 4 + 1)
    penalty = tl.load(scales_ + head * 4 + 2)
    most = tl.load(scales_ + head * 4 + 3)  # the curvature L
    ratio = tl.sqrt(most)
    momentum = (ratio - 1.0) / (ratio + 1.0)
    z = tl.zeros([N, D], tl.float32)
    ahead = z
    for _ in range(sweeps):
        a = alpha * ahead - beta * q
        total = tl.zeros([N, D], tl.float32)
        for first in range(0, m, M):
            keys = first + tl.arange(0, M)
            there = (keys[:, None] < m) & (cols[None, :] < d)
            k = tl.load(
                k_ + head * m * d + keys[:, None] * d + cols[None, :], mask=there, other=0.0
            )
            seen = (keys[None, :] < m) & (rows[:, None] < n)
            if CAUSAL:
                seen = seen & (keys[None, :] <= rows[:, None])
            c = tl.dot(a.to(k.dtype), tl.trans(k), input_precision=P) + penalty
            x, _s = _coefficients(c, T, seen, CLAMP)
            total += tl.dot(x.to(k.dtype), k, input_precision=P)
        after = ahead + (total - ahead) / most
        ahead = after + momentum * (after - z)
        z = after
    a = alpha * z - beta * q
    o = tl.zeros([N, D], tl.float32)
    size = tl.zeros([N], tl.float32)
    for first in range(0, m, M):
        keys = first + tl.arange(0, M)
        there = (keys[:, None] < m) & (cols[None, :] < d)
        place = head * m * d + keys[:, None] * d + cols[None, :]
        k = tl.load(k_ + place, mask=there, other=0.0)
        v = tl.load(v_ + place, mask=there, other=0.0)
        seen = (keys[None, :] < m) & (rows[:, None] < n)
        if CAUSAL:
            seen = seen & (keys[None, :] <= rows[:, None])
        c = tl.dot(a.to(k.dtype), tl.trans(k), input_precision=P) + penalty
        x, _s = _coefficients(c, T, seen, CLAMP)
        size += tl.sum(x, 1)
        o += tl.dot(x.to(v.dtype), v, input_precision=P)
    tl.store(o_ + at, (o / tl.maximum(size, 1.0)[:, None]), mask=mine)
    tl.store(z_ + at, z, mask=mine)
    tl.store(sum_ + head * n + rows, size, mask=rows < n)


@triton.jit
def _backward_queries(  # type: ignore[no-untyped-def]
    q_, k_, v_, scales_, z_, sum_, do_, along_, y_, w_, n, m, d, T, sweeps,
    CLAMP: tl.constexpr, CAUSAL: tl.constexpr, D: tl.constexpr, N: tl.constexpr,
    M: tl.constexpr, P: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * N + tl.arange(0, N)
    cols = tl.arange(0, D)
    at = head * n * d + rows[:, None] * d + cols[None, :]
    mine = (rows[:, None] < n) & (cols[None, :] < d)
    q = tl.load(q_ + at, mask=mine, other=0.0).to(tl.float32)
    z = tl.load(z_ + at, mask=mine, other=0.0)
    do = tl.load(do_ + at, mask=mine, other=0.0)
    size = tl.load(sum_ + head * n + rows, mask=rows < n, other=0.0)
    along = tl.load(along_ + head * n + rows, mask=rows < n, other=0.0)  # o.do above the cap
    cap = tl.maximum(size, 1.0)
    alpha = tl.load(scales_ + head * 4)
    beta = tl.load(scales_ + head * 4 + 1)
    penalty = tl.load(scales_ + head * 4 + 2)
    most = tl.load(scales_ + head * 4 + 3)
    ratio = tl.sqrt(most)
    momentum = (ratio - 1.0) / (ratio + 1.0)
    a = alpha * z - beta * q
    y = tl.zeros([N, D], tl.float32)
    ahead = y
    weight = tl.zeros([N], tl.float32)
    for sweep in range(sweeps + 1):
        total = tl.zeros([N, D], tl.float32)
        weight = tl.zeros([N], tl.float32)
        for first in range(0, m, M):
            keys = first + tl.arange(0, M)
            there = (keys[:, None] < m) & (cols[None, :] < d)
            place = head * m * d + keys[:, None] * d + cols[None, :]
            k = tl.load(k_ + place, mask=there, other=0.0)
            v = tl.load(v_ + place, mask=there, other=0.0)
            seen = (keys[None, :] < m) & (rows[:, None] < n)
            if CAUSAL:
                seen = seen & (keys[None, :] <= rows[:, None])
            c = tl.dot(a.to(k.dtype), tl.trans(k), input_precision=P) + penalty
            _x, slope = _coefficients(c, T, seen, CLAMP)
            g = tl.dot(do.to(v.dtype), tl.trans(v), input_precision=P) - along[:, None]
            ky = tl.dot(ahead.to(k.dtype), tl.trans(k), input_precision=P)
            w = slope * (g / cap[:, None] - alpha * ky)
            weight += tl.sum(w, 1)
            total += tl.dot(w.to(k.dtype), k, input_precision=P)
        if sweep < sweeps:
            after = ahead + (total - ahead) / most
            ahead = after + momentum * (after - y)
            y = after
            if sweep == sweeps - 1:
                ahead = y  # the last sweep sums w
    tl.store(y_ + at, y, mask=mine)
    tl.store(w_ + head * n + rows, weight, mask=rows < n)


@triton.jit
def _backward_keys(  # type: ignore[no-untyped-def]
    q_, k_, v_, scales_, z_, sum_, do_, along_, y_, dk_, dv_, n, m, d, T,
    CLAMP: tl.constexpr, CAUSAL: tl.constexpr, D: tl.constexpr, N: tl.constexpr,
    M: tl.constexpr, P: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    keys = tl.program_id(0) * M + tl.arange(0, M)
    cols = tl.arange(0, D)
    place = head * m * d + keys[:, None] * d + cols[None, :]
    there = (keys[:, None] < m) & (cols[None, :] < d)
    k = tl.load(k_ + place, mask=there, other=0.0)
    v = tl.load(v_ + place, mask=there, other=0.0)
    alpha = tl.load(scales_ + head * 4)
    beta = tl.load(scales_ + head * 4 + 1)
    penalty = tl.load(scales_ + head * 4 + 2)
    dk = tl.zeros([M, D], tl.float32)
    dv = tl.zeros([M, D], tl.float32)
    for first in range(0, n, N):
        rows = first + tl.arange(0, N)
        at = head * n * d + rows[:, None] * d + cols[None, :]
        mine = (rows[:, None] < n) & (cols[None, :] < d)
        q = tl.load(q_ + at, mask=mine, other=0.0).to(tl.float32)
        z = tl.load(z_ + at, mask=mine, other=0.0)
        y = tl.load(y_ + at, mask=mine, other=0.0)
        do = tl.load(do_ + at, mask=mine, other=0.0)
        size = tl.load(sum_ + head * n + rows, mask=rows < n, other=0.0)
        along = tl.load(along_ + head * n + rows, mask=rows < n, other=0.0)
        cap = tl.maximum(size, 1.0)
        seen = (keys[None, :] < m) & (rows[:, None] < n)
        if CAUSAL:
            seen = seen & (keys[None, :] <= rows[:, None])
        a = alpha * z - beta * q
        c = tl.dot(a.to(k.dtype), tl.trans(k), input_precision=P) + penalty
        x, slope = _coefficients(c, T, seen, CLAMP)
        g = tl.dot(do.to(v.dtype), tl.trans(v), input_precision=P) - along[:, None]
        ky = tl.dot(y.to(k.dtype), tl.trans(k), input_precision=P)
        w = slope * (g / cap[:, None] - alpha * ky)
        dv += tl.dot(tl.trans(x / cap[:, None]).to(k.dtype), do.to(k.dtype), input_precision=P)
        left = beta * q - alpha * z
        dk += tl.dot(tl.trans(w).to(k.dtype), left.to(k.dtype), input_precision=P)
        dk -= alpha * tl.dot(tl.trans(x).to(k.dtype), y.to(k.dtype), input_precision=P)
    tl.store(dk_ + place, dk, mask=there)
    tl.store(dv_ + place, dv, mask=there)


class _Kept(Context, Protocol):
    T: float
    sweeps: int
    shape: dict[str, int | str]
    tile: int


class _Fused(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: _Kept, q: Tensor, k: Tensor, v: Tensor, alpha: Tensor, beta: Tensor,
        penalty: Tensor, how: tuple[float, int, bool, bool, str],
    ) -> Tensor:  # fmt: skip
        T, sweeps, clamp, causal, precision = how
        heads, n, d = q.shape
        m = k.shape[1]
        gram = torch.linalg.matrix_norm((k.mT @ k).float())
        most = 1 + alpha.float() * gram * ((1.0 if clamp else 0.25) / T)
        scales = torch.stack([alpha.float(), beta.float(), penalty.float(), most], -1).contiguous()
        q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
        o = torch.empty(heads, n, d, dtype=torch.float32, device=q.device)
        z = torch.empty_like(o)
        size = torch.empty(heads, n, dtype=torch.float32, device=q.device)
        D = max(16, triton.next_power_of_2(d))
        tile = 32 if D > 64 else 64
        shape = {"D": D, "N": tile, "M": tile, "P": precision, "CLAMP": clamp, "CAUSAL": causal}
        _forward[(triton.cdiv(n, tile), heads)](
            q, k, v, scales, o, z, size, n, m, d, T, sweeps, **shape
        )
        ctx.save_for_backward(q, k, v, scales, o, z, size)
        ctx.T, ctx.sweeps, ctx.shape, ctx.tile = T, sweeps, shape, tile
        return o.to(v.dtype)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: _Kept, do: Tensor) -> Gradients:
        q, k, v, scales, o, z, size = ctx.saved_tensors
        heads, n, d = q.shape
        m = k.shape[1]
        do = do.float().contiguous()
        along = torch.where(size >= 1, (do * o).sum(-1), 0).contiguous()
        y = torch.empty_like(z)
        w = torch.empty_like(size)
        dk = torch.empty(heads, m, d, dtype=torch.float32, device=q.device)
        dv = torch.empty_like(dk)
        common = (q, k, v, scales, z, size, do, along, y)
        _backward_queries[(triton.cdiv(n, ctx.tile), heads)](
            *common, w, n, m, d, ctx.T, ctx.sweeps, **ctx.shape
        )
        _backward_keys[(triton.cdiv(m, ctx.tile), heads)](
            *common, dk, dv, n, m, d, ctx.T, **ctx.shape
        )
        beta = scales[:, 1, None, None]
        return (
            (beta * y).to(q.dtype), dk.to(k.dtype), dv.to(v.dtype), -(z * y).sum((1, 2)),
            (y * q).sum((1, 2)), -w.sum(1), None,
        )  # fmt: skip


def fused_attention(
    q: Tensor, k: Tensor, v: Tensor, alpha: Tensor, beta: Tensor, penalty: Tensor, *,
    temperature: float = 0.3, sweeps: int = 20, form: str = "mean_field", causal: bool = False,
    precision: str = "ieee",
) -> Tensor:  # fmt: skip
    """x'v / max(1, |x|_1) for q (heads,n,d), k and v (heads,m,d), and scales (heads).

    `form` is `mean_field`, or `clamp`: the box QP of J + temperature I.  `precision` is that
    of products of floats: ieee, tf32 or tf32x3.
    """
    if form not in ("mean_field", "clamp"):
        raise ValueError(f"form: {form!r} (expected mean_field or clamp)")
    if q.ndim != 3 or k.shape != v.shape or q.shape[::2] != k.shape[::2]:
        raise ValueError(f"q, k, v: shapes {tuple(q.shape)}, {tuple(k.shape)}, {tuple(v.shape)}")
    if q.dtype != k.dtype or k.dtype != v.dtype:
        raise TypeError(f"q, k, v: {q.dtype}, {k.dtype} and {v.dtype} (expected one type)")
    if sweeps < 1 or not temperature > 0:
        raise ValueError(f"sweeps, temperature: {sweeps} and {temperature} (expected above 0)")
    out: Tensor = _Fused.apply(
        q, k, v, alpha, beta, penalty, (temperature, sweeps, form == "clamp", causal, precision)
    )
    return out
