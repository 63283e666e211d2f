"""Attention whose coefficients solve optimisation problems, as a module of PyTorch."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypedDict

import torch
from torch import Tensor, nn

from oa.torch import ops
from oa.torch.functions import Solver, is_autocast, is_learned
from oa.torch.operations import split_heads
from oa.torch.optimum import Optimum, one_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

_KEYS = ("paper", "own", "shared", "separate")


class _Kind(TypedDict):
    """What the parameters of a module are made of."""

    device: torch.device | str | None
    dtype: torch.dtype | None


def linear_map(width: int, dim: int, plain: bool, **kind: Unpack[_Kind]) -> nn.Module:
    """A map of oa-attention(7): a matrix alone, or one with bias and layer normalisation."""
    if plain:
        return nn.Linear(width, dim, bias=False, **kind)
    return nn.Sequential(nn.Linear(width, dim, **kind), nn.LayerNorm(dim, **kind))


class NextQueries(nn.Module):
    """The queries after a step of a loop, with three learned numbers of each head."""

    def __init__(self, heads: int, **kind: Unpack[_Kind]) -> None:
        super().__init__()
        self.loop_keep = nn.Parameter(torch.ones(heads, **kind))
        self.loop_query = nn.Parameter(torch.full((heads,), 0.3, **kind))
        self.loop_read = nn.Parameter(torch.full((heads,), 0.3, **kind))

    def forward(self, q: Tensor, first: Tensor, r: Tensor) -> Tensor:
        """Returns keep q + query q_0 - read r.

        Parameters
        ----------
        q, first, r : Tensor
            The queries, those of the first step, and the keys that they read: (b,heads,n,width).

        Returns
        -------
        Tensor
            The next queries.
        """
        keep, query, read = (
            factor.to(q.dtype)[:, None, None]
            for factor in (self.loop_keep, self.loop_query, self.loop_read)
        )
        return keep * q + query * first - read * r


class OptimizingAttention(Optimum):
    """Attention of the kind `optimizing` of oa-attention(7), which has the formulas.

    While its field `relaxed` is true, x is the mean field, as in the first half of a curriculum; on
    CUDA, with need_weights=False, one kernel of Triton then computes it in `sweeps` sweeps.

    The layer takes the place of `self_attn` in torch.nn.TransformerEncoderLayer and
    TransformerDecoderLayer, and of `multihead_attn` in the latter.  A query that has a number
    that is not finite, or sees such a key or value, gets a row of NaN.

    Parameters
    ----------
    dim : int
        The width of the output rows.
    heads : int, default 1
        They divide dim.
    keys : {"paper", "own", "shared", "separate"}, default "paper"
        Those of the layer of the paper; values; queries; or a map of their own.
    coefficients : {"binary", "levels", "continuous", "lasso", "marginal"}, default "binary"
        The values of coefficients; those of `marginals` at a learned temperature, of at most 24
        keys that are not the paper's.
    causal : bool, default False
        Whether queries see earlier keys only.
    width : int, optional
        The width of the tokens; dim by default.
    levels : int, default 4
        The number of values of the coefficients `levels`.
    queries : int, default 0
        So many learned queries, instead of a query for each token.
    plain : bool, default False
        Maps are matrices alone, without bias and layer normalisation.
    output : bool, default False
        Whether a matrix maps the output.
    normalization : {"sum", "fifth", "capped", "none"}, optional
        What coefficients are divided by; "sum" for the paper's keys, "capped" for others.
    unit, centre : bool
        Whether keys and queries are unit vectors, and the mean of the keys is subtracted.
    alpha, beta, penalty : float
        What the learned weights begin with: of similar keys, of the query, of each key.
    lambda_, value_scale : float, default 1.0
        The penalty and the scale of the values, of the paper's keys.
    divide_output : bool, optional
        Whether the output is divided by the number of keys.
    solver : str, default "round"
        The nearest values of the relaxation, or a solver of oa-anneal(1), such as "exact".
    gradient : {"smoothed", "implicit", "none"}, default "smoothed"
        Those of oa-train(1).
    temperature : float, optional
        That of the gradient and of the mean field; 0.05 for the paper's keys, 0.3 for
        others.  Marginals begin with it, or 1.
    tolerance : float, default 1e-7
        That of the relaxation.
    max_nodes : int, optional
        Most nodes of a search tree.
    loops : int, default 1
        Times that the layer is applied, with keys but the paper's: all but the last refine the
        queries.
    batch_first : bool, default True
        Whether rows are (b,n,width) or (n,b,width).
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import torch
    >>> layer = OptimizingAttention(16, heads=2, keys="shared")
    >>> y, weights = layer(torch.randn(3, 7, 16))
    >>> y.shape, weights.shape
    (torch.Size([3, 7, 16]), torch.Size([3, 7, 7]))
    """

    # What PyTorch's layers ask before they take a path of their own, which is for softmax.
    in_proj_bias = None
    _qkv_same_embed_dim = False

    def __init__(
        self, dim: int, heads: int = 1, keys: str = "paper", coefficients: str = "binary",
        causal: bool = False, *, width: int | None = None, levels: int = 4,
        queries: int = 0, plain: bool = False, output: bool = False,
        normalization: str | None = None, unit: bool = True, centre: bool | None = None,
        alpha: float = 4.0, beta: float = 8.0, penalty: float = 3.0, lambda_: float = 1.0,
        value_scale: float = 1.0, divide_output: bool | None = None, solver: Solver = "round",
        gradient: str = "smoothed", temperature: float | None = None,
        tolerance: float = 1e-7, max_nodes: int | None = None, loops: int = 1,
        batch_first: bool = True,
        device: torch.device | str | None = None, dtype: torch.dtype | None = None,
    ) -> None:  # fmt: skip
        paper = one_of("keys", keys, _KEYS) == "paper"
        super().__init__(
            paper, coefficients, levels, normalization, causal=causal, unit=unit,
            centre=unit and not causal if centre is None else centre, lambda_=lambda_,
            value_scale=value_scale, solver=solver, gradient=gradient, temperature=temperature,
            divide_output=paper and not causal if divide_output is None else divide_output,
            tolerance=tolerance, max_nodes=max_nodes,
        )  # fmt: skip
        if dim < 1 or heads < 1 or dim % heads:
            raise ValueError(f"heads: {heads} do not divide dim {dim}")
        if not 2 <= levels <= 16:
            raise ValueError(f"levels: {levels} (expected 2 to 16)")
        if coefficients == "lasso" and (causal or not paper):
            raise ValueError("coefficients: those of the lasso need keys='paper', not causal")
        if coefficients == "marginal" and paper:
            raise ValueError("coefficients: marginal ones need keys 'own', 'shared' or 'separate'")
        if loops < 1 or (loops > 1 and paper):
            raise ValueError(f"loops: {loops} (expected at least 1, and 1 with keys 'paper')")
        if causal and divide_output:
            raise ValueError("divide_output: has no causal form")
        if centre and (causal or not unit):
            raise ValueError("centre: needs unit keys of a layer that is not causal")
        for name, given in (
            ("alpha", alpha), ("beta", beta), ("penalty", penalty), ("temperature", temperature),
        ):  # fmt: skip
            if is_learned(given):
                raise ValueError(f"{name}: it gets no gradient here (expected no requires_grad)")
        self.dim, self.heads, self.keys = dim, heads, keys
        self.width = dim if width is None else width
        self.loops, self.batch_first = loops, batch_first
        kind: _Kind = {"device": device, "dtype": dtype}
        if queries:
            self.queries: Tensor | None = nn.Parameter(torch.randn(queries, dim, **kind))
        else:
            self.queries = None
            if keys != "shared":
                self.Wq = linear_map(self.width, dim, plain, **kind)
        if keys == "shared":
            self.Wqk = linear_map(self.width, dim, plain, **kind)
        elif keys == "separate":
            self.Wk = linear_map(self.width, dim, plain, **kind)
        self.Wv = linear_map(self.width, dim, plain, **kind)
        self.Wo = nn.Linear(dim, dim, bias=False, **kind) if output else None
        if not paper:

            def of_heads(value: float) -> nn.Parameter:
                return nn.Parameter(torch.full((heads,), float(value), **kind))

            self.log_alpha = of_heads(math.log(alpha)) if alpha > 0 else None
            self.log_beta = of_heads(math.log(beta))
            self.penalty = of_heads(penalty)
            self.next_queries = NextQueries(heads, **kind) if loops > 1 else None
            if coefficients == "marginal":
                begin = 1.0 if temperature is None else temperature
                self.log_temperature = of_heads(math.log(begin))

    def extra_repr(self) -> str:
        """Returns the main settings as a text.

        Returns
        -------
        str
            The settings.
        """
        return (
            f"{self.dim}, heads={self.heads}, keys={self.keys!r}, "
            f"coefficients={self.coefficients!r}, causal={self.causal}"
        )

    def forward(
        self, query: Tensor, key: Tensor | None = None, value: Tensor | None = None,
        key_padding_mask: Tensor | None = None, need_weights: bool = True,
        attn_mask: Tensor | None = None, average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:  # fmt: skip
        """Computes the output rows.

        The arguments are those of torch.nn.MultiheadAttention.  Masks are true, or -inf beside 0,
        where a key is ignored.  `attn_mask` and `is_causal` need centre=False: the mean of the
        keys would depend on keys that are hidden.

        Parameters
        ----------
        query : Tensor
            The source of queries, (b,n,width), without `batch_first` (n,b,width), or
            (n,width).
        key, value : Tensor, optional
            The sources of keys and values; the default of one is the other, that of both is
            the query.  With keys `paper` or `own` they are the same tensor.
        key_padding_mask : Tensor, optional
            (b,m).
        need_weights : bool, default True
            Whether to return the weights.
        attn_mask : Tensor, optional
            (n,m), (b,n,m) or (b heads,n,m).
        average_attn_weights : bool, default True
            Whether weights are means over heads.
        is_causal : bool, default False
            Without `attn_mask`, hides later keys.

        Returns
        -------
        rows : Tensor
            The output, (b,n,dim).
        weights : Tensor or None
            The weights of the values, (b,n,m) or (b,heads,n,m).
        """
        if value is None:
            value = query if key is None else key
        key = value if key is None else key
        self._check_query(query)
        batch = 0 if self.batch_first else 1
        _check_rows("key", key, self.width, query, batch)
        _check_rows("value", value, self.width, query, batch)
        if key is not value and self.keys in ("paper", "own"):
            raise ValueError(f"key: keys={self.keys!r} are values (expected the same tensor)")
        if key.shape[:-1] != value.shape[:-1]:
            raise ValueError(f"key: shape {tuple(key.shape)} beside value of {tuple(value.shape)}")
        alone = query.ndim == 2
        if alone and key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
        if alone or not self.batch_first:

            def turned(x: Tensor) -> Tensor:
                return x.unsqueeze(0) if alone else x.transpose(0, 1)

            rows, same, shared = turned(query), key is query, value is key
            key = rows if same else turned(key)
            value = key if shared else turned(value)
            query = rows
        y, weights = self._rows(
            query, key, value, key_padding_mask, need_weights, attn_mask, is_causal
        )
        if weights is not None and average_attn_weights:
            weights = weights.mean(1)
        if alone:
            return y.squeeze(0), None if weights is None else weights.squeeze(0)
        return y if self.batch_first else y.transpose(0, 1), weights

    def _rows(
        self, query: Tensor, key: Tensor, value: Tensor, padding: Tensor | None,
        need_weights: bool, mask: Tensor | None, is_causal: bool,
    ) -> tuple[Tensor, Tensor | None]:  # fmt: skip
        q, k, v = self._maps(query, key, value)
        causal = self.causal or (is_causal and mask is None)
        weights = None
        if (
            self.is_fused(q) and not need_weights and padding is None and mask is None
            and causal == self.causal and self.normalization == "capped" and self.loops == 1
        ):  # fmt: skip
            mixed = self.attend_fused(q, k, v, self._scales())
        else:
            padding = None if padding is None else _as_hidden("key_padding_mask", padding)
            mask = None if mask is None else _as_hidden("attn_mask", mask)
            hidden = self._hidden(q, v, padding, mask, causal)
            first, scales = q, self._scales()
            for _ in range(self.loops - 1):
                assert self.next_queries is not None
                r, _ = self.attend(q, k, k, scales, hidden, padding, "none")
                q = self.next_queries(q, first, r)
            mixed, weights = self.attend(q, k, v, scales, hidden, padding)
        y = mixed.transpose(1, 2).flatten(2).to(v.dtype)
        if self.Wo is not None:
            y = self.Wo(y)
        return y, weights if need_weights else None

    def _scales(self) -> dict[str, Tensor]:
        names = ("log_alpha", "log_beta", "penalty", "log_temperature")
        found = {name: getattr(self, name, None) for name in names}
        return {name: scale for name, scale in found.items() if scale is not None}

    def _check_query(self, query: Tensor) -> None:
        _check_rows("query", query, self.width)
        own = next(self.Wv.parameters(), query)  # none if Wv was replaced by nn.Identity
        if query.device != own.device:
            raise ValueError(f"query: on {query.device}, the layer on {own.device}")
        if query.dtype != own.dtype and not is_autocast(query):
            raise TypeError(f"query: {query.dtype}, the layer has {own.dtype}")

    def _maps(self, query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        v = self.Wv(value)
        if self.queries is not None:
            q = self.queries.expand(query.shape[0], -1, -1)
        else:
            q = self.Wqk(query) if self.keys == "shared" else self.Wq(query)
        if self.keys == "shared":
            k = q if key is query and self.queries is None else self.Wqk(key)
        else:
            k = self.Wk(key) if self.keys == "separate" else v
        return split_heads(q, self.heads), split_heads(k, self.heads), split_heads(v, self.heads)

    def _hidden(
        self, q: Tensor, v: Tensor, padding: Tensor | None, mask: Tensor | None, causal: bool
    ) -> Tensor | None:
        """(b or 1, heads or 1, n, m): the pairs that are not allowed."""
        b, heads, n, _ = q.shape
        m = v.shape[2]
        hidden: Tensor | None = None
        if causal:
            if n != m:
                raise ValueError(f"value: {m} rows, query {n} (expected equal: causal)")
            hidden = torch.ones(n, m, dtype=torch.bool, device=q.device).triu(1)[None, None]
        for name, given, shapes in (
            ("key_padding_mask", padding, ((b, m),)),
            ("attn_mask", mask, ((n, m), (b, n, m), (b * heads, n, m))),
        ):
            if given is None:
                continue
            if given.device != q.device:
                raise ValueError(f"{name}: on {given.device}, query on {q.device}")
            if tuple(given.shape) not in shapes:
                raise ValueError(f"{name}: shape {tuple(given.shape)} (expected {shapes})")
            if self.coefficients == "lasso":
                raise ValueError(f"{name}: coefficients of the lasso have no masks")
            if name == "key_padding_mask":
                wide = given[:, None, None]
            elif given.ndim == 3:
                wide = given.unflatten(0, (b, -1))
            else:
                wide = given[None, None]
            hidden = wide if hidden is None else hidden | wide
        if self.keys != "paper" and self.centre and (causal or mask is not None):
            raise ValueError("attn_mask: the mean of all keys is subtracted (set centre=False)")
        return hidden


def _check_rows(
    name: str, x: Tensor, width: int, query: Tensor | None = None, batch: int = 0
) -> None:
    if not isinstance(x, Tensor):
        raise TypeError(f"{name}: {type(x).__name__} (expected a tensor)")
    if not x.is_floating_point():
        raise TypeError(f"{name}: elements of type {x.dtype} (expected floats)")
    if x.ndim not in (2, 3) or x.shape[-1] != width:
        raise ValueError(f"{name}: shape {tuple(x.shape)} (expected (b,n,{width}))")
    if query is None:
        return
    if x.dtype != query.dtype and not is_autocast(query):
        raise TypeError(f"{name}: {x.dtype} beside query of {query.dtype}")
    if x.device != query.device:
        raise ValueError(f"{name}: on {x.device}, query on {query.device}")
    if x.ndim != query.ndim or x.ndim == 3 and x.shape[batch] != query.shape[batch]:
        raise ValueError(f"{name}: shape {tuple(x.shape)} beside query of {tuple(query.shape)}")


def _as_hidden(name: str, mask: Tensor) -> Tensor:
    """A mask of PyTorch, true where a key is hidden."""
    if mask.is_floating_point():
        return ops.hidden(mask)
    if mask.dtype != torch.bool:
        raise TypeError(f"{name}: elements of type {mask.dtype} (expected bool or floats)")
    return mask
