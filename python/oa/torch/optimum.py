"""Coefficients that solve optimisation problems: the operation `optimum` of a layer."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from contextlib import nullcontext

import torch
from torch import Tensor, nn

from oa.torch.functions import (
    Gradient,
    Solver,
    binary_qp,
    box_qp,
    is_autocast,
    lasso_qp,
    learns,
    levels_qp,
    marginals,
    mean_field,
    rounded,
)

_EXCLUDED = 1e9  # the linear term of a key that a query must not choose
_COEFFICIENTS = ("binary", "levels", "continuous", "lasso", "marginal")
_NORMALIZATIONS = ("sum", "fifth", "capped", "none")
_GRADIENTS = ("smoothed", "implicit", "none")


def one_of(name: str, value: str, known: tuple[str, ...]) -> str:
    """The value, if it is one of those known."""
    if value not in known:
        raise ValueError(f"{name}: {value!r} (expected {', '.join(known)})")
    return value


class Optimum(nn.Module):
    """The optima of a layer, and the weights of its values.

    Its fields are the options of :class:`OptimizingAttention`; `solver`, `tolerance`, `max_nodes`,
    `relaxed` and `sweeps` may change between calls.
    """

    def __init__(
        self, paper: bool, coefficients: str, levels: int, normalization: str | None, *,
        causal: bool, unit: bool, centre: bool, lambda_: float, value_scale: float,
        divide_output: bool, solver: Solver, gradient: str, temperature: float | None,
        tolerance: float = 1e-7, max_nodes: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.coefficients = one_of("coefficients", coefficients, _COEFFICIENTS)
        known = _NORMALIZATIONS if paper else ("capped", "none")
        self.normalization = normalization or ("sum" if paper else "capped")
        one_of("normalization", self.normalization, known)
        self.gradient = one_of("gradient", gradient, _GRADIENTS)
        self._paper, self.causal, self.unit, self.centre = paper, causal, unit, centre
        self.levels = 2 if coefficients == "binary" else levels
        self.lambda_, self.value_scale = lambda_, value_scale
        self.divide_output = divide_output
        self.solver, self.tolerance, self.max_nodes = solver, tolerance, max_nodes
        self.temperature = (0.05 if paper else 0.3) if temperature is None else temperature
        self.relaxed = False
        self.sweeps = 20  # of the fused kernel

    def extra_repr(self) -> str:
        """Returns the main settings as a text.

        Returns
        -------
        str
            The settings.
        """
        return f"coefficients={self.coefficients!r}, causal={self.causal}"

    def is_fused(self, q: Tensor) -> bool:
        """True if one kernel of Triton computes the layer: the mean field with keys."""
        return (
            q.is_cuda and self.relaxed and not self._paper and self.coefficients != "marginal"
            and importlib.util.find_spec("triton") is not None
        )  # fmt: skip

    def attend_fused(self, q: Tensor, k: Tensor, v: Tensor, scales: Mapping[str, Tensor]) -> Tensor:
        """The output of capped weights, (b,heads,n,width)."""
        from oa.torch.triton_kernels import fused_attention

        if self.unit:
            k, q = _unit(k, self.centre, None), _unit(q, False, None)
        b = q.shape[0]
        log_beta = scales["log_beta"]
        alpha = scales["log_alpha"].exp() if "log_alpha" in scales else log_beta * 0
        factors = (s.repeat(b) for s in (alpha, log_beta.exp(), scales["penalty"]))
        flat = (t.flatten(0, 1).to(v.dtype) for t in (q, k, v))
        mixed = fused_attention(
            *flat, *factors, temperature=self.temperature, sweeps=self.sweeps, causal=self.causal
        )
        return mixed.unflatten(0, (b, -1))

    def attend(
        self, q: Tensor, k: Tensor, v: Tensor, scales: Mapping[str, Tensor],
        hidden: Tensor | None = None, padding: Tensor | None = None, how: str | None = None,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        """The output (b,heads,n,width), and the weights of the values.

        `scales` has the learned numbers of each head; `hidden` is true for pairs that are not
        allowed, and `how` the normalisation, if it is another.
        """
        with torch.autocast(q.device.type, enabled=False) if is_autocast(q) else nullcontext():
            kind = torch.promote_types(torch.promote_types(q.dtype, k.dtype), v.dtype)
            kind = torch.float32 if kind in (torch.float16, torch.bfloat16) else kind
            q, k, v = q.to(kind), k.to(kind), v.to(kind)
            J, h = self._problems(q, k, v, scales, hidden, padding)
            a = self._weights(self._solve(J, h, scales, hidden), how or self.normalization)
            o = a @ v
            if self.divide_output:
                o = o / (v.shape[2] if hidden is None else _seen(hidden).to(o.dtype).clamp_min(1))
        return o, a

    def _problems(
        self, q: Tensor, k: Tensor, v: Tensor, scales: Mapping[str, Tensor],
        hidden: Tensor | None, padding: Tensor | None,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        if self._paper:
            m: int | Tensor = v.shape[2]
            if padding is not None:
                m = _seen(padding[:, None, None]).clamp_min(1).to(v.dtype)
            scale = self.value_scale / m
            penalty = 0.0 if self.coefficients == "lasso" else self.lambda_ / m
            J = (2 * scale * scale) * (v @ v.mT)
            h = (-2 * scale) * (q @ v.mT) + penalty
            if hidden is not None:  # the problem of the allowed keys, with the same J
                h = h * (_seen(hidden).to(h.dtype) / m)
        else:
            if self.unit:
                k = _unit(k, self.centre, padding)
                q = _unit(q, False, None)
            beta, cost = (
                s.to(k.dtype)[:, None, None] for s in (scales["log_beta"].exp(), scales["penalty"])
            )
            J = k @ k.mT
            alpha = scales["log_alpha"].exp().to(k.dtype) if "log_alpha" in scales else None
            J = torch.zeros_like(J) if alpha is None else alpha[:, None, None] * J
            h = cost - beta * (q @ k.mT)
        if hidden is not None:
            h = h.masked_fill(hidden, _EXCLUDED)
        return J, h

    def _solve(
        self, J: Tensor, h: Tensor, scales: Mapping[str, Tensor], hidden: Tensor | None
    ) -> Tensor:
        if self.coefficients == "marginal":
            t = scales["log_temperature"].exp().to(J.dtype)[:, None, None]
            return marginals(J / t, h / t)
        if self.gradient == "none" and not self.relaxed:
            J, h = J.detach(), h.detach()
        if self.coefficients == "lasso":
            return lasso_qp(J, h, self.lambda_ / J.shape[-1], check=False)
        if self.relaxed:
            return self._mean_field(J, h)
        gradient: Gradient = "implicit" if self.gradient == "implicit" else "smoothed"
        by_box = self._paper or gradient == "implicit" or self.solver == "round"
        if self.coefficients == "continuous":
            return self._box(J, h, gradient)
        relaxed = self._box(J, h, gradient) if by_box else h
        if self.solver == "round":
            best = rounded(relaxed.detach(), self.levels)
        else:
            if hidden is not None:  # more than all others together can gain
                most = 1 + J.detach().abs().sum(-1, keepdim=True).mT
                h_ = torch.where(hidden, most, h.detach())
            else:
                h_ = h.detach()
            if self.levels == 2:
                best = binary_qp(J.detach(), h_, self.solver, max_nodes=self.max_nodes)
            else:
                nodes = None if self.max_nodes is None else 10 * self.max_nodes
                best = levels_qp(J.detach(), h_, self.levels, self.solver, max_nodes=nodes)
        if not learns(J, h):
            return best
        if not self._paper and gradient == "smoothed":
            relaxed = self._mean_field(J, h)
        return best + (relaxed - relaxed.detach())

    def _box(self, J: Tensor, h: Tensor, gradient: Gradient) -> Tensor:
        return box_qp(
            J, h, gradient=gradient, temperature=self.temperature, tolerance=self.tolerance,
            accuracy=self._accuracy(), check=False,
        )  # fmt: skip

    def _mean_field(self, J: Tensor, h: Tensor) -> Tensor:
        return mean_field(
            J, h, self.temperature, tolerance=self.tolerance, accuracy=self._accuracy()
        )

    def _accuracy(self) -> float:
        """That of the systems of gradients, as in the trainer of the tools."""
        return 1e-3 if self._paper else min(max(self.tolerance, 1e-5), 1e-3)

    def _weights(self, x: Tensor, how: str) -> Tensor:
        if how == "none":
            return x
        if how == "fifth" and self.coefficients != "binary":
            x = x**5
        size = torch.where(x < 0, -x, x).sum(-1, keepdim=True)
        if how == "capped":
            return x / size.clamp_min(1)
        # The first coefficient brings its whole value.
        return x / torch.where(size > 0, size + 1e-10, 1)


def _seen(hidden: Tensor) -> Tensor:
    """The number of keys that each query sees: (b,1,n,1)."""
    return (~hidden).sum(-1, keepdim=True)


def _unit(x: Tensor, centre: bool, padding: Tensor | None) -> Tensor:
    if centre and padding is None:
        x = x - x.mean(-2, keepdim=True)
    elif centre and padding is not None:
        there = (~padding)[:, None, :, None].to(x.dtype)
        x = x - (x * there).sum(-2, keepdim=True) / there.sum(-2, keepdim=True).clamp_min(1)
    return x / ((x * x).sum(-1, keepdim=True) + 1e-5).sqrt()
