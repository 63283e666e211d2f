"""Attention by weights of keys, in operations of PyTorch: (b,heads,n,width)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from oa.torch.operations import Call, join_heads, operation, split_heads


def _heads(c: Call, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    shared = c["heads"] // c["groups"]
    batch = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    q, k, v = (t.expand(*batch, *t.shape[-2:]) for t in (q, k, v))
    k, v = (split_heads(t, c["groups"]).repeat_interleave(shared, dim=-3) for t in (k, v))
    return split_heads(q, c["heads"]), k, v


def _seen(c: Call, logits: Tensor) -> Tensor:
    """(n,m): the pairs that are allowed: all, or no later keys."""
    pairs = torch.ones(logits.shape[-2:], dtype=torch.bool, device=logits.device)
    return pairs.tril() if c["causal"] else pairs


def _pattern(rows: Sequence[Sequence[int]], keys: int, device: torch.device) -> Tensor:
    """The pairs that are allowed, from begin, end, begin, end, ... of each query."""
    seen = np.zeros((len(rows), keys), dtype=bool)
    for row, runs in zip(seen, rows):
        for begin, end in zip(runs[::2], runs[1::2]):
            row[begin:end] = True
    return torch.from_numpy(seen).to(device)


def _weights(logits: Tensor, seen: Tensor) -> Tensor:
    """Softmax over the pairs that are allowed; zeros for queries without keys."""
    least = torch.finfo(logits.dtype).min
    return torch.softmax(logits.masked_fill(~seen, least), -1) * seen


@operation("softmax")
def _softmax(c: Call, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = _heads(c, q, k, v)
    scale = c["scale"]
    return join_heads(
        F.scaled_dot_product_attention(q, k, v, is_causal=bool(c["causal"]), scale=scale)
    )


@operation("sigmoid_attention")
def _sigmoid_attention(c: Call, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = _heads(c, q, k, v)
    logits = c["scale"] * (q @ k.mT)
    for bias in c.tensors.values():
        logits = logits + bias[:, None, None]
    p = logits.sigmoid() * _seen(c, logits)
    if c["normalization"] == "capped":
        p = p / p.sum(-1, keepdim=True).clamp_min(1)
    return join_heads(p @ v)


@operation("fused_softmax")
def _fused_softmax(
    c: Call, q: Tensor, k: Tensor, v: Tensor, factor: Tensor | None = None
) -> Tensor:
    q, k, v = _heads(c, q, k, v)
    logits = c["scale"] * (q @ k.mT)
    logits = logits if factor is None else factor * logits
    return join_heads(_weights(logits, _pattern(c["pattern"], k.shape[-2], q.device)) @ v)


@operation("local_and_global_softmax")
def _local_and_global(c: Call, *inputs: Tensor) -> Tensor:
    found = []
    for which, (q, k, v) in (("local", inputs[:3]), ("global", inputs[3:])):
        q, k, v = _heads(c, q, k, v)
        seen = _pattern(c[which], k.shape[-2], q.device)
        found.append(_weights(c["scale"] * (q @ k.mT), seen) @ v)
    return join_heads(found[0] + found[1])  # each query has keys in one of them


@operation("topk_softmax")
def _topk_softmax(c: Call, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = _heads(c, q, k, v)
    logits = c["scale"] * (q @ k.mT)
    seen = _seen(c, logits)
    ordered = logits.masked_fill(~seen, -math.inf).topk(min(c["k"], k.shape[-2]), -1).values
    return join_heads(_weights(logits, seen & (logits >= ordered[..., -1:])) @ v)


@operation("hard_attention")
def _hard_attention(c: Call, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = _heads(c, q, k, v)
    logits = c["scale"] * (q @ k.mT)
    p = _weights(logits, _seen(c, logits))
    best = F.one_hot(p.argmax(-1), p.shape[-1]).to(p.dtype)
    return join_heads((best + (p - p.detach())) @ v)


@operation("threshold_softmax")
def _threshold_softmax(c: Call, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = _heads(c, q, k, v)
    logits = c["scale"] * (q @ k.mT)
    seen = _seen(c, logits)
    largest = logits.masked_fill(~seen, -math.inf).amax(-1, keepdim=True)
    return join_heads(_weights(logits, seen & (logits >= largest - c["tau"])) @ v)


@operation("masked_softmax")
def _masked_softmax(c: Call, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = _heads(c, q, k, v)
    logits = c["scale"] * (q @ k.mT)
    (mask,) = c.tensors.values()
    blocks = torch.arange(logits.shape[-1], device=mask.device) // c["block"]
    query, key = blocks[:, None], blocks
    number = key - query + c["blocks"] - 1 if c["relative"] else query * c["blocks"] + key
    gate = (mask / c["temperature"]).sigmoid()[number].masked_fill(query == key, 1)
    # Decisions have the gradient of their sigmoids.
    keep = ((gate > 0.5) + (gate - gate.detach())) * _seen(c, logits)
    largest = logits.detach().masked_fill(keep == 0, -math.inf).amax(-1, keepdim=True)
    p = keep * (logits - largest).clamp_max(80).exp()
    return join_heads(p / p.sum(-1, keepdim=True) @ v)


@operation("pool")
def _pool(c: Call, x: Tensor) -> Tensor:
    seen = _pattern(c["pattern"], x.shape[-2], x.device).to(x.dtype)
    return seen / seen.sum(-1, keepdim=True) @ x - x


# Optima.


@operation("optimum")
def _optimum(c: Call, q: Tensor, v: Tensor) -> Tensor:
    return join_heads(_attend(c, 1, q, v, v))


@operation("keyed_optimum")
def _keyed_optimum(c: Call, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return join_heads(_attend(c, c["heads"], q, k, v))


def _attend(c: Call, heads: int, *qkv: Tensor) -> Tensor:
    assert c.optimum is not None
    batch = qkv[-1].shape[:-2]
    q, k, v = (split_heads(t.expand(*batch, *t.shape[-2:]), heads) for t in qkv)
    if c.optimum.is_fused(q) and c["normalization"] == "capped":
        return c.optimum.attend_fused(q, k, v, c.tensors)
    hidden = None
    if c["causal"]:
        hidden = torch.ones(c.rows, c.rows, dtype=torch.bool, device=q.device).triu(1)[None, None]
    return c.optimum.attend(q, k, v, c.tensors, hidden, how=c["normalization"])[0].to(v.dtype)


@operation("next_queries")
def _next_queries(c: Call, q: Tensor, first: Tensor, r: Tensor) -> Tensor:
    keep, query, read = (
        factor.repeat_interleave(q.shape[-1] // len(factor)) for factor in c.tensors.values()
    )
    return keep * q + query * first - read * r


# Features.


@operation("identity_features", "relu_features", "elu_features", "exp_features",
           "positive_features", "fourier_features")  # fmt: skip
def _features(c: Call, q: Tensor, k: Tensor, v: Tensor, gate: Tensor | None = None) -> Tensor:
    q, k, v = _heads(c, q, k, v)
    phi_q, phi_k, gain = _FEATURES[c.name](c, q, k)
    p = gain * (phi_q @ phi_k.mT)
    if gate is not None:
        log_keep, share = (f(split_heads(gate, c["heads"])) for f in (F.logsigmoid, torch.sigmoid))
        since = log_keep.cumsum(-2)
        p = p * (since - since.mT).clamp_max(0).exp() * (1 - share).mT
    p = p * _seen(c, p)
    total = p.sum(-1, keepdim=True)
    clamped = c.name in ("identity_features", "fourier_features")
    epsilon = c["epsilon"]
    return join_heads(p @ v / (total.abs().clamp_min(epsilon) if clamped else total + epsilon))


# Features of queries and keys, and a factor of their products.
_Features = Callable[[Call, Tensor, Tensor], tuple[Tensor, Tensor, Tensor | float]]


def _elementwise(f: Callable[[Tensor], Tensor]) -> _Features:
    return lambda c, q, k: (f(q), f(k), 1.0)


def _positive(c: Call, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor, Tensor | float]:
    directions = c.table("directions", q)
    root = len(directions) ** -0.5

    def logits(x: Tensor) -> Tensor:
        x = x * x.shape[-1] ** -0.25
        return x @ directions.mT - (x * x).sum(-1, keepdim=True) / 2

    of_q, of_k = logits(q), logits(k)
    # References keep exponentials finite; a causal one is that of the tokens so far.
    reference = of_k.detach().amax(-1, keepdim=True)
    if c["causal"]:
        reference = reference.cummax(-2).values
        gain: Tensor | float = (reference.mT - reference).clamp_max(0).exp()
    else:
        reference, gain = reference.amax(-2, keepdim=True), 1.0
    largest = of_q.detach().amax(-1, keepdim=True)
    phi_q, phi_k = (root * ((x - r).exp() + 1e-6) for x, r in ((of_q, largest), (of_k, reference)))
    return phi_q, phi_k, gain


def _fourier(c: Call, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor, Tensor | float]:
    directions = c.table("directions", q)
    (inverse_sigma,) = c.tensors.values()
    root = len(directions) ** -0.5

    def phi(x: Tensor) -> Tensor:
        z = inverse_sigma[:, None, None] * (F.normalize(x, dim=-1, eps=1e-30) @ directions.mT)
        return root * torch.cat([z.sin(), z.cos()], -1)

    return phi(q), phi(k), 1.0


_FEATURES: dict[str, _Features] = {
    "identity_features": _elementwise(lambda x: x),
    "relu_features": _elementwise(F.relu),
    "elu_features": _elementwise(lambda x: F.elu(x) + 1),
    "exp_features": _elementwise(torch.exp),
    "positive_features": _positive,
    "fourier_features": _fourier,
}
