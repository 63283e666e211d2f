"""Model files of oa-model(5) as modules of PyTorch, and back."""

from __future__ import annotations

import json
import math
import os
import re
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from oa import models
from oa.torch.config import DEFAULTS, Config, is_true, kinds_of
from oa.torch.layer import NextQueries, OptimizingAttention, linear_map, one_of, split_heads

_SOFTMAX = ("softmax", "flash1", "flash2")


class _Softmax(nn.Module):
    """Softmax attention with the maps of the tools."""

    def __init__(self, width: int, dim: int, causal: bool, options: Mapping[str, str]) -> None:
        super().__init__()
        self.heads, self.causal = int(options.get("heads", "1")), causal
        keys = one_of("keys", options.get("keys", "separate"), ("separate", "shared"))
        self.shared = keys == "shared"
        self.score = one_of("score", options.get("score", "softmax"), ("softmax", "sigmoid"))
        plain = is_true("plain", options.get("plain", "false"))
        for name in ("Wqk", "Wv") if self.shared else ("Wq", "Wk", "Wv"):
            setattr(self, name, linear_map(width, dim, plain))
        output = is_true("output", options.get("output", "false"))
        self.Wo = nn.Linear(dim, dim, bias=not plain) if output else None
        self.scale = float(options.get("scale", "1")) / math.sqrt(dim // self.heads)
        self.loops = int(options.get("loops", "1"))
        self.next_queries: Any = NextQueries(self.heads) if self.loops > 1 else None
        biased = self.loops > 1 and self.score == "sigmoid"
        self.loop_bias = nn.Parameter(torch.full((self.heads,), -2.0)) if biased else None

    def forward(self, x: Tensor) -> Tensor:
        q = self.Wqk(x) if self.shared else self.Wq(x)
        k = q if self.shared else self.Wk(x)
        q, k, v = (split_heads(t, self.heads) for t in (q, k, self.Wv(x)))
        first = q
        for _ in range(self.loops - 1):
            q = self.next_queries(q, first, self._read(q, k, k, capped=False))
        o = self._read(q, k, v, capped=True).transpose(1, 2).flatten(2)
        return o if self.Wo is None else self.Wo(o)

    def _read(self, q: Tensor, k: Tensor, v: Tensor, capped: bool) -> Tensor:
        """The weighted values; `capped` divides sums of sigmoid weights above 1."""
        if self.score == "softmax":
            return F.scaled_dot_product_attention(q, k, v, is_causal=self.causal, scale=self.scale)
        logits = self.scale * (q @ k.mT)
        if self.loop_bias is not None:
            logits = logits + self.loop_bias[:, None, None]
        p = logits.sigmoid()
        p = p.tril() if self.causal else p
        return (p / p.sum(-1, keepdim=True).clamp_min(1) if capped else p) @ v


class _Tokenwise(nn.Module):
    """The kinds without coefficients: mlp, query and uniform."""

    def __init__(
        self, kind: str, width: int, dim: int, causal: bool, divide: bool, hidden: int
    ) -> None:
        super().__init__()
        self.kind, self.causal, self.divide = kind, causal, divide
        if kind == "mlp" and hidden == 0:
            self.mlp = nn.Sequential(nn.Linear(width, dim), nn.ReLU())
        elif kind == "mlp":
            self.mlp = _network(width, hidden * dim, dim)
        elif kind == "query":
            self.Wq = linear_map(width, dim, False)
        else:
            self.Wv = linear_map(width, dim, False)

    def forward(self, x: Tensor) -> Tensor:
        if self.kind == "mlp":
            return self.mlp(x)
        n = x.shape[1]
        if self.kind == "query":
            return self.Wq(x) / (n if self.divide else 1)
        v = self.Wv(x)
        seen = torch.arange(1, n + 1, device=x.device)[:, None] if self.causal else n
        sums = v.cumsum(1) if self.causal else v.sum(1, keepdim=True).expand_as(v)
        return sums / (seen * seen if self.divide else seen)


def _network(width: int, hidden: int, dim: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(width, hidden), nn.GELU(approximate="tanh"), nn.Linear(hidden, dim)
    )


class _Mixer(nn.Module):
    """The network of each row after attention."""

    def __init__(self, dim: int, hidden: int, rows: int) -> None:
        super().__init__()
        self.token_mlp = nn.Sequential(nn.LayerNorm(dim), *_network(dim, hidden, dim))
        self.query_embedding = nn.Parameter(0.3 * torch.randn(rows, dim)) if rows else None

    def forward(self, o: Tensor) -> Tensor:
        y = self.token_mlp[0](o)
        if self.query_embedding is not None:
            y = y + self.query_embedding[: y.shape[1]]
        return o + self.token_mlp[1:](y)


class _Block(nn.Module):
    def __init__(self, norm: nn.Module | None, attention: nn.Module, mixer: nn.Module | None):
        super().__init__()
        self.norm, self.attention, self.mixer = norm, attention, mixer

    def forward(self, x: Tensor, residual: bool) -> Tensor:
        unit = x if self.norm is None else self.norm(x)
        if isinstance(self.attention, OptimizingAttention):
            o = self.attention(unit, need_weights=False)[0]
        else:
            o = self.attention(unit)
        o = o + x if residual else o
        return o if self.mixer is None else self.mixer(o)


class _Numbers(nn.Module):
    """Tokens from their numbers, and from those before them."""

    def __init__(self, vocabulary: int, length: int, dim: int, previous: bool, places: bool):
        super().__init__()

        def drawn(rows: int, use: bool) -> nn.Parameter | None:
            return nn.Parameter(0.3 * torch.randn(rows, dim)) if use else None

        self.token_embedding = nn.Parameter(0.3 * torch.randn(vocabulary, dim))
        self.previous_embedding = drawn(vocabulary, previous)
        self.pos_embedding = drawn(length, places)
        self.length = length

    def forward(self, numbers: Tensor, padded: bool) -> Tensor:
        """-1 fills rows of a padded batch."""
        most = len(self.token_embedding) - 1
        if numbers.is_floating_point() or numbers.dtype == torch.bool:
            raise TypeError(f"sequences: elements of type {numbers.dtype} (expected integers)")
        if numbers.ndim != 2 or not 0 < numbers.shape[1] <= self.length:
            raise ValueError(
                f"sequences: shape {tuple(numbers.shape)} (expected (b,n), n up to {self.length})"
            )
        low, high = (int(end) for end in torch.aminmax(numbers)) if numbers.numel() else (0, 0)
        if low < (-1 if padded else 0) or high > most:
            raise ValueError(f"sequences: {low} to {high} (expected 0 to {most}, -1 if causal)")
        x = _rows(self.token_embedding, numbers)
        if self.previous_embedding is not None:
            x = x + F.pad(_rows(self.previous_embedding, numbers[:, :-1]), (0, 0, 1, 0))
        return x if self.pos_embedding is None else x + self.pos_embedding[: x.shape[1]]


def _rows(table: Tensor, numbers: Tensor) -> Tensor:
    found = F.embedding(numbers.clamp_min(0).long(), table)
    return found.masked_fill((numbers < 0).unsqueeze(-1), 0)


class Model(nn.Module):
    """A model of images, or of sequences of numbers, as oa-train(1) makes them.

    `blocks` has the layers, with their `attention`.

    Parameters
    ----------
    config : mapping
        The configuration, as in the metadata of oa-model(5); what is missing is as in the
        public reproduction.

    Examples
    --------
    >>> import torch
    >>> model = Model({"oa.embedding": "mlp", "oa.attention": "optimizing:keys=shared"})
    >>> model(torch.zeros(2, 28, 28, dtype=torch.uint8)).shape
    torch.Size([2, 10])
    """

    def __init__(self, config: Mapping[str, str]) -> None:
        super().__init__()
        self.config = dict(config)
        c = Config(self.config)
        for name in ("vector_width", "asking"):
            if c.number(name) > 0:
                raise ValueError(f"oa.{name}: models of vectors are not in oa.torch")
        self._c = c
        window, dim, layers = c.number("patch"), c.number("dim"), c.number("layers")
        patch = c.number("channels") * window * window
        sequences = c.number("length") > 0
        self.patch_norm = nn.LayerNorm(patch) if c.true("patch_norm") and not sequences else None
        mlp = c["embedding"] == "mlp" and not sequences
        self.embedding = _network(patch, dim, dim) if mlp else None
        width = dim if mlp or sequences else patch
        kinds = kinds_of(c["attention"], layers)
        self.pos_embedding = None
        self.numbers = None
        if sequences:
            self.numbers = _Numbers(
                c.number("vocabulary"), c.number("length"), dim, c.true("previous"),
                c.true("positions"),
            )  # fmt: skip
        elif c.true("positions") and any(kind != "mlp" for kind, _ in kinds):
            size = 0.3 if mlp else 1.0
            self.pos_embedding = nn.Parameter(size * torch.randn(1, c.tokens() + 1, width))
        self.residual, queries = c.true("residual"), c.number("queries")
        self.learned_queries = queries
        self.blocks = nn.ModuleList()
        for layer, (kind, options) in enumerate(kinds):
            last = layer + 1 == layers
            seen = width if layer == 0 else dim
            rows = queries if last and queries else c.tokens()
            hidden = c.number("token_mlp")
            mixer = None
            if hidden:
                mixer = _Mixer(dim, hidden, rows if c.true("query_positions") else 0)
            attention = _attention(c, kind, options, seen, queries if last else 0)
            self.blocks.append(
                _Block(nn.LayerNorm(seen) if self.residual else None, attention, mixer)
            )
        rows = queries or c.tokens()
        pooled = dim * rows if c.pooling() == "concat" else dim
        classes, hidden = c.number("classes"), c.number("head")
        classes += c["objective"] == "cells"  # the first logit: the class is in the picture
        last_part = _network(pooled, hidden, classes) if hidden else [nn.Linear(pooled, classes)]
        self.head = nn.Sequential(nn.LayerNorm(pooled), *last_part)
        self._head_name = "softmax" if kinds[-1][0] == "mlp" else "mlp.net"
        self.unused: dict[str, np.ndarray[Any, Any]] = {}

    def forward(self, images: Tensor) -> Tensor:
        """Computes logits.

        Parameters
        ----------
        images : Tensor
            Bytes (b,rows,cols), or (b,rows,cols,3) with colours.  Floats are pixels as the
            model sees them: (pixel / 255 - 0.5) / 0.5.  Sequences are integers (b,n).

        Returns
        -------
        Tensor
            The logits; objectives but `class` have a row for each token or query.
        """
        x = self.tokens(images)
        for layer, block in enumerate(self.blocks):
            learned = self.learned_queries > 0 and layer + 1 == len(self.blocks)
            x = block(x, self.residual and not learned)
        pooling = self._c.pooling()
        return self.head(x.flatten(1) if pooling == "concat" else x.mean(1) if pooling else x)

    def tokens(self, images: Tensor) -> Tensor:
        """Returns the tokens of images.

        Parameters
        ----------
        images : Tensor
            As in :meth:`forward`.

        Returns
        -------
        Tensor
            (b,m,width).
        """
        c = self._c
        channels, window = c.number("channels"), c.number("patch")
        shape = (c.number("rows"), c.number("cols"), *((channels,) if channels > 1 else ()))
        if not isinstance(images, Tensor):
            raise TypeError(f"images: {type(images).__name__} (expected a tensor)")
        if self.numbers is not None:
            return self.numbers(images, c.true("causal"))
        if images.ndim != len(shape) + 1 or tuple(images.shape[1:]) != shape:
            raise ValueError(f"images: shape {tuple(images.shape)} (expected (b,{shape}))")
        if images.dtype == torch.uint8:
            pixels = images.to(self.head[0].weight.dtype)
            pixels = 255 - pixels if c.true("inverted") else pixels
            pixels = (pixels / 255 - 0.5) / 0.5
        elif images.is_floating_point():
            pixels = images
        else:
            raise TypeError(f"images: elements of type {images.dtype} (expected uint8 or floats)")
        pixels = pixels.movedim(3, 1) if channels > 1 else pixels[:, None]
        pixels = F.pad(pixels, 4 * (c.number("margin"),), value=-1.0)
        x = F.unfold(pixels, window, stride=c.number("stride")).mT
        x = x if self.patch_norm is None else self.patch_norm(x)
        x = x if self.embedding is None else self.embedding(x)
        return x if self.pos_embedding is None else x + self.pos_embedding[:, : x.shape[1]]

    def file_names(self) -> dict[str, str]:
        """Maps names of parameters to those of the tensors in a file.

        Returns
        -------
        dict
            The names.
        """
        names = {}
        for name, _ in self.named_parameters():
            to = re.sub(r"^patch_norm\.", "to_patch_embedding.1.", name)
            to = to.removeprefix("numbers.")
            to = re.sub(r"^head\.", f"{self._head_name}.", to)
            if found := re.match(r"blocks\.(\d+)\.(attention\.|mixer\.)?", to):
                layer = int(found[1])
                own = to[found.end() :].removeprefix("next_queries.")
                to = (f"layers.{layer}." if layer else "") + own
            names[name] = to
        return names


def _attention(
    c: Config, kind: str, options: Mapping[str, str], width: int, queries: int
) -> nn.Module:
    dim, causal, divide = c.number("dim"), c.true("causal"), c.true("divide_output")
    if kind != "optimizing":
        if queries:
            raise ValueError(f"oa.queries: learned queries of {kind} are not in oa.torch")
        if kind in _SOFTMAX:
            return _Softmax(width, dim, causal, options)
        return _Tokenwise(kind, width, dim, causal, divide, int(options.get("hidden", "0")))
    keys = options.get("keys", "paper")
    paper = keys == "paper"
    how = c["normalization"]
    gradient = c.training("gradient", "smoothed")
    maps: dict[str, Any] = {
        name: is_true(name, options[name])
        for name in ("plain", "output", "unit", "centre")
        if name in options
    }
    maps |= {"loops": int(options.get("loops", "1"))}
    maps |= {name: float(options[name]) for name in ("alpha", "beta", "penalty") if name in options}
    return OptimizingAttention(
        dim, int(options.get("heads", "1")), keys, c["coefficients"], causal, width=width,
        levels=c.number("levels"), queries=queries,
        normalization=how if paper or how == "none" else "capped",
        lambda_=c.real("lambda"), value_scale=c.real("value_scale"),
        divide_output=divide if paper else False,
        solver="exact" if is_true("oa.train.exact", c.training("exact", "false")) else "round",
        gradient="smoothed" if gradient == "unrolled" else gradient,
        temperature=float(c.training("temperature", "0.05")) if paper else None, **maps,
    )  # fmt: skip


def _inferred(arrays: Mapping[str, Any]) -> dict[str, str]:
    """The configuration of a checkpoint of the reproduction, from its tensors."""
    mlp = "mlp.0.weight" in arrays
    kind = "mlp" if mlp else "softmax" if "Wk.0.weight" in arrays else "optimizing"
    head = "softmax.1.weight" if mlp else "mlp.net.1.weight"
    try:
        dim, patch = arrays["mlp.0.weight" if mlp else "Wv.0.weight"].shape
        classes = arrays[head].shape[0]
        tokens = 49 if mlp else arrays["pos_embedding"].shape[1] - 1
    except KeyError as error:
        raise ValueError(f"no tensor {error} (expected a model file)") from None
    window = round(math.sqrt(patch))
    side = 28 if mlp else round(math.sqrt(tokens)) * window
    numbers = {"classes": classes, "dim": dim, "patch": window, "stride": window,
               "rows": side, "cols": side}  # fmt: skip
    return {
        "oa.attention": kind,
        "oa.divide_output": "true" if kind == "optimizing" else "false",
        **{f"oa.{name}": str(value) for name, value in numbers.items()},
    }


def load(path: str | os.PathLike[str], **changes: str | bool | float) -> Model:
    """Reads the model in a file of oa-model(5); its logits are those of oa-score(1).

    Parameters
    ----------
    path : str or path
        The file.
    **changes
        Changes of the configuration, such as coefficients="continuous" or causal=True.

    Returns
    -------
    Model
        The module.

    Examples
    --------
    >>> model = load("model.bin")  # doctest: +SKIP
    >>> model.blocks[0].attention.coefficients  # doctest: +SKIP
    'binary'
    """
    file = models.load(path)
    known = any(name.startswith("oa.") for name in file.config)
    config = dict(file.config) if known else _inferred(file)
    for name, value in changes.items():
        if name not in DEFAULTS:
            raise ValueError(f"{name}: no setting of a model")
        config[f"oa.{name}"] = str(value).lower() if isinstance(value, bool) else str(value)
    model = Model(config)
    names = model.file_names()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            to = names[name]
            if to not in file:
                raise ValueError(f"{os.fspath(path)}: no tensor {to}")
            array = file[to]
            if array.shape != tuple(parameter.shape):
                raise ValueError(
                    f"{os.fspath(path)}: {to} has the shape {array.shape} "
                    f"(expected {tuple(parameter.shape)})"
                )
            parameter.copy_(torch.from_numpy(np.array(array)))
    used = set(names.values())
    model.unused = {name: np.array(file[name]) for name in file if name not in used}
    if not known:
        model.config = {**file.config}
    return model.eval()


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Writes a model file of oa-model(5), which the tools read.

    Parameters
    ----------
    model : Model
        The module.
    path : str or path
        The file.

    Examples
    --------
    >>> save(Model({}), "model.bin")  # doctest: +SKIP
    """
    if not isinstance(model, Model):
        raise TypeError(f"model: {type(model).__name__} (expected oa.torch.Model)")
    names = model.file_names()
    arrays = {
        names[name]: parameter.detach().cpu().float().numpy()
        for name, parameter in model.named_parameters()
    }
    arrays |= model.unused
    header: dict[str, Any] = {}
    if model.config:
        header["__metadata__"] = dict(sorted(model.config.items()))
    at = 0
    for name in sorted(arrays):
        size = arrays[name].astype("<f4").nbytes
        header[name] = {
            "dtype": "F32",
            "shape": list(arrays[name].shape),
            "data_offsets": [at, at + size],
        }
        at += size
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for name in sorted(arrays):
            out.write(np.ascontiguousarray(arrays[name], dtype="<f4").tobytes())
