"""States that pass from token to token, and values fitted to keys, in operations of PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor

from oa.torch.autograd import Context
from oa.torch.operations import EPSILON, Call, join_heads, operation, split_heads


def _turned(c: Call, *inputs: Tensor) -> list[Tensor]:
    """The inputs in the order of the reading: from the first or from the last token."""
    return [x.flip(-2) for x in inputs] if c["reversed"] else list(inputs)


def _rows(c: Call, rows: list[Tensor], dim: int) -> Tensor:
    """The rows of the tokens, as a tensor in time."""
    return torch.stack(rows[::-1] if c["reversed"] else rows, dim)


@operation("convolution")
def _convolution(c: Call, x: Tensor) -> Tensor:
    filters, *bias = c.tensors.values()
    (x,) = _turned(c, x)
    taps = len(filters)
    padded = F.pad(x, (0, 0, taps - 1, 0))
    y = torch.zeros_like(x) + (bias[0] if bias else 0)
    for ago, row in enumerate(filters):
        y = y + row * padded[..., taps - 1 - ago : padded.shape[-2] - ago, :]
    return _turned(c, y)[0]


@operation("gated_scan")
def _gated_scan(c: Call, *inputs: Tensor) -> Tensor:
    q, k, v, log_decay = (split_heads(x, c["heads"]) for x in _turned(c, *inputs))
    scale = q.shape[-1] ** -0.5
    decay = log_decay.exp()
    state = torch.zeros_like(k[..., 0, :, None] * v[..., 0, None, :])
    rows = []
    for t in range(c.rows):
        state = decay[..., t, :, None] * state + k[..., t, :, None] * v[..., t, None, :]
        rows.append(scale * (q[..., t, None, :] @ state).squeeze(-2))
    return join_heads(_rows(c, rows, -2))


@operation("delta_scan")
def _delta_scan(c: Call, *inputs: Tensor) -> Tensor:
    q, k, v, step, *decays = (split_heads(x, c["heads"]) for x in _turned(c, *inputs))
    state = torch.zeros_like(k[..., 0, :, None] * v[..., 0, None, :])
    rows = []
    for t in range(c.rows):
        if decays:
            state = decays[0][..., t, :, None].exp() * state
        key = k[..., t, :, None]
        error = v[..., t, None, :] - key.mT @ state
        state = state + key @ (step[..., t, :, None] * error)
        rows.append((q[..., t, None, :] @ state).squeeze(-2))
    return join_heads(_rows(c, rows, -2))


@operation("selective_scan")
def _selective_scan(c: Call, *inputs: Tensor) -> Tensor:
    x, dt, b, read = _turned(c, *inputs[:4])
    a = inputs[4]
    (skip,) = c.tensors.values()
    state = torch.zeros_like(b[..., 0, :, None] * x[..., 0, None, :])
    rows = []
    for t in range(c.rows):
        step = dt[..., t, None, :]
        state = (step * a).exp() * state + b[..., t, :, None] * (step * x[..., t, None, :])
        rows.append((read[..., t, :, None] * state).sum(-2) + skip * x[..., t, :])
    return _rows(c, rows, -2)


def _outer(a: Tensor, b: Tensor, width: int) -> Tensor:
    """The products a b' of each head of `width` columns."""
    a, b = (x.unflatten(-1, (-1, width)) for x in (a, b))
    return (a[..., :, None] * b[..., None, :]).flatten(-3)


@operation("diagonal_models")
def _diagonal_models(c: Call) -> Tensor:
    log_decay, frequency, *others = c.tensors.values()
    step = c.table("steps", log_decay)
    pole = torch.polar((-step * log_decay.exp()).exp(), step * frequency)
    rows = torch.cat([pole.real, pole.imag, *others[:2], others[2][None]])
    return rows.repeat_interleave(c.cols // c["heads"], -1)


@operation("diagonal_scan")
def _diagonal_scan(c: Call, k: Tensor, v: Tensor, models: Tensor) -> Tensor:
    (p,) = _turned(c, _outer(k, v, c["head_width"]))
    re, im, out_re, out_im = models[:-1].chunk(4)
    pole, out = torch.complex(re, im), torch.complex(out_re, out_im)
    state = torch.zeros_like(p[..., 0, None, :] * pole)
    rows = []
    for t in range(c.rows):
        state = pole * state + p[..., t, None, :]
        rows.append(2 * (out * state).real.sum(-2) + models[-1] * p[..., t, :])
    return _rows(c, rows, -2)


@operation("read_heads")
def _read_heads(c: Call, p: Tensor, q: Tensor) -> Tensor:
    width = c["head_width"]
    q = q.unflatten(-1, (-1, width))
    return (q[..., None, :] @ p.unflatten(-1, (-1, width, width))).flatten(-3)


# Values fitted to keys.


class _System(Context, Protocol):
    product: Callable[[Tensor], Tensor]
    steps: int


class _Solved(torch.autograd.Function):
    """Zero, with the gradient of A^-1 r, for a symmetric A: A^-1 by conjugate gradients."""

    @staticmethod
    def forward(ctx: _System, r: Tensor, product: Callable[[Tensor], Tensor], steps: int) -> Tensor:
        ctx.product, ctx.steps = product, steps
        return torch.zeros_like(r)

    @staticmethod
    def backward(ctx: _System, d: Tensor) -> tuple[Tensor, None, None]:
        with torch.no_grad():
            return _conjugate(ctx.product, d, ctx.steps), None, None


def _conjugate(product: Callable[[Tensor], Tensor], y: Tensor, steps: int) -> Tensor:
    """Solves a system for each row of y; a row stops at a residual of 1e-6 of its length."""
    x, r, p = torch.zeros_like(y), y, y
    square = (r * r).sum(-1, keepdim=True)
    limit = 1e-12 * square
    for _ in range(steps):
        open_ = square > limit
        if not bool(open_.any()):
            break
        image = product(p)
        alpha = torch.where(open_, square / (p * image).sum(-1, keepdim=True), 0)
        x, r = x + alpha * p, r - alpha * image
        after = (r * r).sum(-1, keepdim=True)
        p = torch.where(open_, r + after / square * p, p)
        square = torch.where(open_, after, square)
    return x


@operation("ridge_regression")
def _ridge_regression(
    c: Call, q: Tensor, k: Tensor, v: Tensor, b: Tensor, ridge: Tensor, gate: Tensor | None = None
) -> Tensor:
    q, k, v, b, ridge = (split_heads(x, c["heads"]) for x in (q, k, v, b, ridge))
    share = b.mT
    if gate is not None:
        since = F.logsigmoid(split_heads(gate, c["heads"])).cumsum(-2)
        share = share * (since - since.mT).clamp_max(0).exp().tril()

    def product(p: Tensor) -> Tensor:
        return (p @ k.mT * share) @ k + ridge * p

    with torch.no_grad():
        z = _conjugate(product, q, c["steps"])
    if torch.is_grad_enabled():
        z = z + _Solved.apply(q - product(z), product, c["steps"])
    return join_heads((z @ k.mT * share) @ v)


@operation("trained_model")
def _trained_model(c: Call, *inputs: Tensor) -> Tensor:
    heads = c["heads"]
    q, k, v, eta = (split_heads(x, heads) for x in _turned(c, *inputs))
    gain, shift, start = c.tensors.values()
    gain, shift = (x.unflatten(-1, (heads, 1, -1)) for x in (gain, shift))
    width = q.shape[-1]

    def norm(x: Tensor) -> Tensor:
        return F.layer_norm(x, (width,), eps=EPSILON)

    state = start.unflatten(0, (heads, width))
    rows = []
    for first in range(0, c.rows, c["batch"]):
        some = slice(first, first + c["batch"])
        qs, ks, vs, rates = (x[..., some, :] for x in (q, k, v, eta))
        guess = ks @ state
        unit = norm(guess)
        bent = gain * (gain * unit + shift + ks - vs)
        variance = guess.var(-1, unbiased=False, keepdim=True)
        slope = bent - bent.mean(-1, keepdim=True) - unit * (bent * unit).mean(-1, keepdim=True)
        slope = rates * slope * (variance + EPSILON).rsqrt()
        answer = qs @ state - (qs @ ks.mT).tril() @ slope
        rows.append(qs + gain * norm(answer) + shift)
        state = state - ks.mT @ slope
    y = join_heads(torch.cat(rows, -2))
    return _turned(c, y)[0]
