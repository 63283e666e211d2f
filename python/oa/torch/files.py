"""Model files of oa-model(5) as modules of PyTorch, and back."""

from __future__ import annotations

import functools
import json
import os
import struct
from collections.abc import Mapping
from typing import Any, TypedDict

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from oa import _oa, models
from oa.torch import scans, weights  # noqa: F401
from oa.torch.operations import OPERATIONS, Call
from oa.torch.optimum import Optimum

_SOLVERS = ("optimum", "keyed_optimum")


class _Parameter(TypedDict):
    name: str
    shape: list[int]


class _Line(TypedDict):
    """An operation of a formula, as oa-view(1) prints it."""

    name: str
    operation: str
    shape: list[int]
    settings: Mapping[str, Any]
    parameters: list[_Parameter]
    inputs: list[str]


@functools.lru_cache(maxsize=256)
def _formulas(config: tuple[tuple[str, str], ...], tokens: int) -> list[list[_Line]]:
    """The operations of each layer, for a sequence of so many tokens; 0: the longest."""
    return [layer["operations"] for layer in json.loads(_oa.formulas(dict(config), tokens))]


class Model(nn.Module):
    """A model of images, sequences, sets or vectors, as oa-train(1) makes them.

    Its parameters have the names of the tensors of the file.  `optima` has the solvers, by
    the number of their layer.

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
        self.unused: dict[str, NDArray[np.generic]] = {}
        self._texts = _oa.changed_config(self.config, {})
        seed = int(torch.randint(2**62, ()))
        for name, values in _oa.initial_values(self._texts, seed).items():
            self._place(name, nn.Parameter(torch.from_numpy(values)))
        self.optima = nn.ModuleDict()
        for layer, operations in enumerate(self._formulas(0)):
            solver = [line for line in operations if line["operation"] in _SOLVERS]
            if solver:
                self.optima[str(layer)] = self._optimum(solver[-1])

    def _place(self, name: str, parameter: nn.Parameter) -> None:
        """Makes `parameter` the one of this name, in modules for the parts of the name."""
        module: nn.Module = self
        *parts, last = name.split(".")
        for part in parts:
            if part not in module._modules:
                module.add_module(part, nn.Module())
            module = module.get_submodule(part)
        module.register_parameter(last, parameter)

    def _number(self, name: str) -> int:
        return int(self._texts[f"oa.{name}"])

    def _is(self, name: str, value: str = "true") -> bool:
        return self._texts[f"oa.{name}"] == value

    def _formulas(self, tokens: int) -> list[list[_Line]]:
        return _formulas(tuple(sorted(self._texts.items())), tokens)

    def _optimum(self, line: _Line) -> Optimum:
        paper, c = line["operation"] == "optimum", line["settings"]
        gradient, exact, temperature = (
            self.config.get(f"oa.train.{name}", usual)
            for name, usual in (("gradient", "smoothed"), ("exact", ""), ("temperature", "0.05"))
        )
        return Optimum(
            paper, c["coefficients"], c["levels"], c["normalization"], causal=bool(c["causal"]),
            unit=bool(c.get("unit")), centre=bool(c.get("centre")), lambda_=c.get("lambda", 1.0),
            value_scale=c.get("value_scale", 1.0), divide_output=bool(c.get("divide_output")),
            solver="exact" if exact == "true" else "round",
            gradient="smoothed" if gradient == "unrolled" else gradient,
            temperature=float(temperature) if paper else None,
        )  # fmt: skip

    def forward(self, inputs: Tensor, vectors: Tensor | None = None) -> Tensor:
        """Computes logits.

        Parameters
        ----------
        inputs : Tensor
            Bytes (b,rows,cols), or (b,rows,cols,3) with colours.  Floats are pixels as the
            model sees them: (pixel / 255 - 0.5) / 0.5.  Sequences are integers (b,n), or vectors
            (b,n,width).
        vectors : Tensor, optional
            The vectors of tokens that have both; -1 is a token without a number.

        Returns
        -------
        Tensor
            The logits; objectives but `class` have a row for each token or query.
        """
        p = dict(self.named_parameters())
        x = self.tokens(inputs, vectors)
        layers = self._number("layers")
        for layer, operations in enumerate(self._formulas(x.shape[1])):
            prefix = f"layers.{layer}." if layer else ""
            unit = _norm(p, f"{prefix}norm", x)
            y = self._computed(layer, operations, unit, p, len(prefix))
            last = layer + 1 == layers
            if self._is("residual") and not (last and self._number("queries")):
                y = y + x[:, -y.shape[1] :]
            if last and self._number("asking"):
                y = y[:, -self._number("asking") :]
            x = _mixed(p, prefix, y)
        if self._is("objective", "class"):
            x = x.flatten(1) if self._is("pooling", "concat") else x.mean(1)
        head = "mlp.net" if "mlp.net.0.weight" in p else "softmax"
        x = _norm(p, f"{head}.0", x)
        return _mlp(p, f"{head}.1", f"{head}.3", x)

    def _computed(
        self, layer: int, operations: list[_Line], x: Tensor, p: Mapping[str, Tensor], prefix: int
    ) -> Tensor:
        """The output of the formula of a layer."""
        found = {"x": x}
        optimum: Optimum | None = self.optima[str(layer)] if str(layer) in self.optima else None
        for line in operations:
            name, (rows, cols) = line["operation"], line["shape"]
            if name not in OPERATIONS:
                raise ValueError(f"attention: the operation {name} is not in oa.torch")
            tensors = {t["name"][prefix:]: p[t["name"]] for t in line["parameters"]}
            inputs = [
                found[value] if value in found else torch.atleast_2d(p[value])
                for value in line["inputs"]
            ]
            call = Call(name, rows, cols, line["settings"], tensors, optimum)
            x = found[line["name"]] = OPERATIONS[name](call, *inputs)
        return x

    def tokens(self, inputs: Tensor, vectors: Tensor | None = None) -> Tensor:
        """Returns the tokens of inputs.

        Parameters
        ----------
        inputs, vectors : Tensor
            As in :meth:`forward`.

        Returns
        -------
        Tensor
            (b,m,width).
        """
        if not isinstance(inputs, Tensor):
            raise TypeError(f"inputs: {type(inputs).__name__} (expected a tensor)")
        p = dict(self.named_parameters())
        if self._number("length") > 0:
            x = self._sequence(inputs, vectors, p)
        else:
            x = _mlp(p, "embedding.0", "embedding.2", self._patches(inputs, p))
        return x if "pos_embedding" not in p else x + _places(p["pos_embedding"], x.shape[1])

    def _patches(self, images: Tensor, p: Mapping[str, Tensor]) -> Tensor:
        channels, window = self._number("channels"), self._number("patch")
        colours = (channels,) if channels > 1 else ()
        shape = (self._number("rows"), self._number("cols"), *colours)
        if images.ndim != len(shape) + 1 or tuple(images.shape[1:]) != shape:
            raise ValueError(f"images: shape {tuple(images.shape)} (expected (b,{shape}))")
        if images.dtype == torch.uint8:
            pixels = images.to(next(iter(p.values())).dtype)
            pixels = 255 - pixels if self._is("inverted") else pixels
            pixels = (pixels / 255 - 0.5) / 0.5
        elif images.is_floating_point():
            pixels = images
        else:
            raise TypeError(f"images: elements of type {images.dtype} (expected uint8 or floats)")
        pixels = pixels.movedim(3, 1) if channels > 1 else pixels[:, None]
        pixels = F.pad(pixels, 4 * (self._number("margin"),), value=-1.0)
        x = F.unfold(pixels, window, stride=self._number("stride")).mT
        return _norm(p, "to_patch_embedding.1", x)

    def _sequence(self, inputs: Tensor, vectors: Tensor | None, p: Mapping[str, Tensor]) -> Tensor:
        """The tokens of numbers, of vectors, or of both."""
        width, length = self._number("vector_width"), self._number("length")
        if "token_embedding" not in p:
            vectors = inputs
        if width and (vectors is None or vectors.ndim != 3 or vectors.shape[2] != width):
            found = None if vectors is None else tuple(vectors.shape)
            raise ValueError(f"vectors: shape {found} (expected (b,n,{width}))")
        shape = inputs.shape[:2] if vectors is None else vectors.shape[:2]
        if len(shape) != 2 or not self._number("asking") < shape[1] <= length:
            raise ValueError(
                f"sequences: shape {tuple(inputs.shape)} (expected (b,n), n up to {length})"
            )
        x = None if vectors is None else _mlp(p, "embedding.0", "embedding.2", vectors)
        if "token_embedding" not in p:
            assert x is not None
            return x
        if inputs.is_floating_point() or inputs.dtype == torch.bool:
            raise TypeError(f"sequences: elements of type {inputs.dtype} (expected integers)")
        if inputs.shape != shape:
            raise ValueError(f"sequences: shape {tuple(inputs.shape)} (expected {tuple(shape)})")
        low, high = (int(end) for end in torch.aminmax(inputs)) if inputs.numel() else (0, 0)
        least = -1 if self._is("causal") or width else 0
        most = len(p["token_embedding"]) - 1
        if low < least or high > most:
            raise ValueError(f"sequences: {low} to {high} (expected {least} to {most})")
        y = _rows(p["token_embedding"], inputs)
        if "previous_embedding" in p:
            y = y + F.pad(_rows(p["previous_embedding"], inputs[:, :-1]), (0, 0, 1, 0))
        if x is None:
            return y
        return x + y if "embedding.0.weight" in p else torch.cat([x, y], -1)


def _rows(table: Tensor, numbers: Tensor) -> Tensor:
    """The rows of a table; zeros for -1."""
    found = F.embedding(numbers.clamp_min(0).long(), table)
    return found.masked_fill((numbers < 0).unsqueeze(-1), 0)


def _places(table: Tensor, rows: int) -> Tensor:
    """The first rows of learned positions."""
    return table.flatten(0, -2)[:rows]


def _norm(p: Mapping[str, Tensor], name: str, x: Tensor) -> Tensor:
    """Layer normalisation, if the model has it."""
    if f"{name}.weight" not in p:
        return x
    return F.layer_norm(x, x.shape[-1:], p[f"{name}.weight"], p[f"{name}.bias"])


def _mlp(p: Mapping[str, Tensor], first: str, second: str, x: Tensor) -> Tensor:
    """One or two linear maps, as many as the model has."""
    if f"{first}.weight" not in p:
        return x
    y = F.linear(x, p[f"{first}.weight"], p[f"{first}.bias"])
    if f"{second}.weight" not in p:
        return y
    return F.linear(F.gelu(y, approximate="tanh"), p[f"{second}.weight"], p[f"{second}.bias"])


def _mixed(p: Mapping[str, Tensor], prefix: str, x: Tensor) -> Tensor:
    """The network of each row after attention, if the model has it."""
    part = f"{prefix}token_mlp."
    if f"{part}0.weight" not in p:
        return x
    y = _norm(p, f"{part}0", x)
    if f"{prefix}query_embedding" in p:
        y = y + _places(p[f"{prefix}query_embedding"], x.shape[1])
    return x + _mlp(p, f"{part}1", f"{part}3", y)


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
    >>> model.optima["0"].coefficients  # doctest: +SKIP
    'binary'
    """
    file = models.load(path)
    texts = _oa.file_config(os.fspath(path))
    for name in changes:
        if f"oa.{name}" not in texts:
            raise ValueError(f"{name}: no setting of a model")
    changed = {
        f"oa.{name}": str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in changes.items()
    }
    complete = _oa.changed_config(texts, changed)
    known = file.config if "oa.attention" in file.config or not changes else texts
    differs = {name: text for name, text in complete.items() if text != texts[name]}
    model = Model({**file.config, **texts, **differs})
    names = dict(model.named_parameters())
    with torch.no_grad():
        for name, parameter in names.items():
            if name not in file or file[name].shape != tuple(parameter.shape):
                found = file[name].shape if name in file else "no tensor"
                raise ValueError(
                    f"{os.fspath(path)}: {name}: {found} (expected {tuple(parameter.shape)})"
                )
            parameter.copy_(torch.from_numpy(np.array(file[name])))
    model.unused = {name: np.array(file[name]) for name in file if name not in names}
    model.config = {**file.config, **known, **differs}
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
    arrays = {
        name: parameter.detach().cpu().float().numpy()
        for name, parameter in model.named_parameters()
    }
    arrays |= model.unused
    header: dict[str, Mapping[str, object]] = {}
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
