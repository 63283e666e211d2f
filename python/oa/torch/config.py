"""The configuration of a model, as in the metadata of oa-model(5)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from oa.torch.layer import one_of

# Settings of a file without metadata: those of the public reproduction.
DEFAULTS = {
    "asking": "0", "attention": "optimizing", "causal": "false", "channels": "1",
    "classes": "10", "coefficients": "binary", "cols": "28", "dim": "64",
    "divide_output": "true", "embedding": "linear", "grey": "false", "head": "0",
    "inverted": "false", "lambda": "1", "layers": "1", "length": "0", "levels": "2",
    "margin": "0", "normalization": "sum", "objective": "class", "patch": "4",
    "patch_norm": "true", "pooling": "mean", "positions": "true", "previous": "false",
    "queries": "0", "query_positions": "false", "residual": "false", "resized": "false",
    "rows": "28", "stride": "4", "token_mlp": "0", "value_scale": "1", "vector_width": "0",
    "vocabulary": "0",
}  # fmt: skip
_CHOICES = {
    "coefficients": ("binary", "levels", "continuous", "lasso", "marginal"),
    "embedding": ("linear", "mlp"),
    "normalization": ("sum", "fifth", "capped", "none"),
    "pooling": ("mean", "concat"),
}
_OPTIONS: dict[str, tuple[str, ...]] = {
    "optimizing": (
        "alpha", "beta", "centre", "heads", "keys", "output", "penalty", "plain", "unit",
        "thin", "candidates", "warm", "loops",
    ),
    "softmax": ("heads", "keys", "output", "plain", "scale", "score", "loops"),
    "flash1": ("heads", "keys", "output", "plain", "block", "scratch"),
    "flash2": ("heads", "keys", "output", "plain", "block", "scratch", "cache", "precision"),
    "mlp": ("hidden",),
    "query": (),
    "uniform": (),
}  # fmt: skip


def is_true(name: str, text: str) -> bool:
    """The value of a setting that is true or false."""
    return one_of(name, text, ("true", "false")) == "true"


def kinds_of(text: str, layers: int) -> list[tuple[str, dict[str, str]]]:
    """The kind and the options of each layer.

    >>> kinds_of("softmax:heads=4,plain=true", 1)
    [('softmax', {'heads': '4', 'plain': 'true'})]
    """
    specs: list[list[str]] = []
    for piece in text.split(","):
        if "=" in piece and ":" not in piece and specs:
            specs[-1].append(piece)
        else:
            specs.append(piece.split(":", 1))
    kinds: list[tuple[str, dict[str, str]]] = []
    for parts in specs:
        times = 1
        if found := re.fullmatch(r"(.*)\*(\d+)", parts[-1]):
            parts[-1], times = found[1], int(found[2])
        options = dict(part.split("=", 1) for part in parts[1:])
        if parts[0] not in _OPTIONS:
            known = ", ".join(_OPTIONS)
            raise ValueError(f"attention: '{parts[0]}' is not in oa.torch (expected {known})")
        for name in options:
            if name not in _OPTIONS[parts[0]]:
                raise ValueError(f"attention: {parts[0]} has no option '{name}' in oa.torch")
        kinds += times * [(parts[0], options)]
    if len(kinds) == 1:
        kinds *= layers
    if len(kinds) != layers:
        raise ValueError(f"attention: '{text}' is not for {layers} layers")
    return kinds


class Config:
    """The settings of a model, checked; those of the public reproduction where they are missing."""

    def __init__(self, config: Mapping[str, str]) -> None:
        self._texts = config
        for name, default in DEFAULTS.items():
            if name in _CHOICES:
                one_of(f"oa.{name}", self[name], _CHOICES[name])
            elif name in ("lambda", "value_scale"):
                self.real(name)
            elif default in ("true", "false"):
                self.true(name)
            elif default.isdecimal():
                self.number(name)

    def __getitem__(self, name: str) -> str:
        return self._texts.get(f"oa.{name}", DEFAULTS[name])

    def number(self, name: str) -> int:
        """A setting that is an integer."""
        try:
            return int(self[name])
        except ValueError:
            raise ValueError(f"oa.{name}: '{self[name]}' (expected a number)") from None

    def real(self, name: str) -> float:
        """A setting that is a finite number."""
        try:
            value = float(self[name])
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise ValueError(f"oa.{name}: '{self[name]}' (expected a number)")
        return value

    def true(self, name: str) -> bool:
        """A setting that is true or false."""
        return is_true(f"oa.{name}", self[name])

    def training(self, name: str, default: str) -> str:
        """A setting of the training that made the model."""
        return self._texts.get(f"oa.train.{name}", default)

    def pooling(self) -> str:
        """How rows become one; empty if each has logits of its own."""
        if self["objective"] not in ("class", "positions", "cells"):
            raise ValueError(f"oa.objective: '{self['objective']}' is not in oa.torch")
        return self["pooling"] if self["objective"] == "class" else ""

    def tokens(self) -> int:
        """The number of tokens of an image, or the most of a sequence."""
        if self.number("length") > 0:
            return self.number("length")

        def steps(pixels: int) -> int:
            room = pixels + 2 * self.number("margin") - self.number("patch")
            return room // self.number("stride") + 1

        return steps(self.number("rows")) * steps(self.number("cols"))
