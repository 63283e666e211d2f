"""The operations of formulas, in operations of PyTorch.

A layer of a model is a list of operations, which the library gives (oa-view(1), --formula).  Each
has a function of its inputs, (b,n,width) or, if they are tensors of the model, (n,width): those of
single tokens are here, others in `weights` and `scans`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from oa.torch.optimum import Optimum

EPSILON = 1e-5  # of all norms


@dataclass
class Call:
    """An operation with its settings and tensors."""

    name: str
    """Such as "linear"."""
    rows: int
    """Of the output."""
    cols: int
    """Of the output."""
    settings: Mapping[str, Any]
    """Numbers, texts and rows of numbers."""
    tensors: Mapping[str, Tensor]
    """The parameters, by their names in the layer, in order."""
    optimum: Optimum | None
    """The solver of the layer, if it has one."""

    def __getitem__(self, name: str) -> Any:
        """A setting."""
        return self.settings[name]

    def table(self, name: str, like: Tensor) -> Tensor:
        """A setting of rows of numbers."""
        return torch.tensor(self.settings[name], dtype=like.dtype, device=like.device)


Function = Callable[..., Tensor]
OPERATIONS: dict[str, Function] = {}


def operation(*names: str) -> Callable[[Function], Function]:
    """Makes f(call, *inputs) the operation of these names, such as those of a user's kind.

    Parameters
    ----------
    *names : str
        The names, as oa-view(1) prints them.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @operation("twice")  # doctest: +SKIP
    ... def twice(call, x):
    ...     return 2 * x
    """

    def add(function: Function) -> Function:
        OPERATIONS.update({name: function for name in names})
        return function

    return add


def split_heads(x: Tensor, heads: int) -> Tensor:
    """(b,n,dim) as (b,heads,n,dim/heads)."""
    return x.unflatten(-1, (heads, -1)).transpose(-3, -2)


def join_heads(o: Tensor) -> Tensor:
    """(b,heads,n,width) as (b,n,heads width)."""
    return o.transpose(-3, -2).flatten(-2)


# Maps of single tokens.


@operation("linear")
def _linear(c: Call, x: Tensor) -> Tensor:
    return F.linear(x, *c.tensors.values())


@operation("projection")
def _projection(c: Call, x: Tensor) -> Tensor:
    weight, *others = c.tensors.values()
    y = F.linear(_block(c, x), weight, *others[:1])
    return F.layer_norm(y, (c.cols,), *others[1:]) if others else y


@operation("block")
def _block(c: Call, x: Tensor) -> Tensor:
    first = c["first_row"]
    width = c.cols if c.name == "block" else x.shape[-1]
    return x[..., first : first + c.rows, :width]


# Functions of single numbers.


@operation("silu")
def _silu(c: Call, x: Tensor) -> Tensor:
    return F.silu(x)


@operation("sigmoid", "logistic")
def _sigmoid(c: Call, x: Tensor) -> Tensor:
    return x.sigmoid()


@operation("relu")
def _relu(c: Call, x: Tensor) -> Tensor:
    return F.relu(x)


@operation("gelu")
def _gelu(c: Call, x: Tensor) -> Tensor:
    return F.gelu(x, approximate="tanh")


@operation("softplus")
def _softplus(c: Call, x: Tensor) -> Tensor:
    return F.softplus(x) + c["shift"]


@operation("log_sigmoid")
def _log_sigmoid(c: Call, x: Tensor) -> Tensor:
    return c["factor"] * F.logsigmoid(x)


@operation("minus_exp")
def _minus_exp(c: Call, x: Tensor) -> Tensor:
    return -x.exp()


@operation("scaled")
def _scaled(c: Call, x: Tensor) -> Tensor:
    return c["factor"] * x


@operation("product")
def _product(c: Call, a: Tensor, b: Tensor) -> Tensor:
    return a * b


@operation("sum")
def _sum(c: Call, a: Tensor, b: Tensor) -> Tensor:
    return c["factor"] * (a + b)


@operation("rms_norm")
def _rms_norm(c: Call, x: Tensor) -> Tensor:
    (gain,) = c.tensors.values()
    of_heads = x.unflatten(-1, (c["heads"], -1))
    mean = (of_heads * of_heads).mean(-1, keepdim=True)
    return (of_heads * (mean + EPSILON).rsqrt()).flatten(-2) * gain


@operation("unit_heads")
def _unit_heads(c: Call, x: Tensor) -> Tensor:
    of_heads = x.unflatten(-1, (c["heads"], -1))
    return (of_heads * ((of_heads * of_heads).sum(-1, keepdim=True) + EPSILON).rsqrt()).flatten(-2)


# Means, mixtures and orders of tokens.


@operation("mean_of_values")
def _mean_of_values(c: Call, v: Tensor) -> Tensor:
    if c["causal"]:
        seen: Tensor | int = torch.arange(1, c.rows + 1, dtype=v.dtype, device=v.device)[:, None]
        sums = v.cumsum(-2)
    else:
        seen = v.shape[-2]
        sums = v.sum(-2, keepdim=True).expand(*v.shape[:-2], c.rows, -1)
    return sums / (seen * seen if c["divide_output"] else seen)


@operation("mixtures")
def _mixtures(c: Call, e: Tensor, x: Tensor) -> Tensor:
    return e[:, : x.shape[-2]] @ x


@operation("in_positions")
def _in_positions(c: Call, x: Tensor) -> Tensor:
    return x[..., c["order"], :]


@operation("in_time")
def _in_time(c: Call, x: Tensor) -> Tensor:
    return x[..., torch.tensor(c["order"]).argsort().tolist(), :]
