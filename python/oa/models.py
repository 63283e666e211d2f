"""Models: their tensors, the problems that they pose, what they predict."""

from __future__ import annotations

import contextlib
import csv
import os
import struct
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oa import _oa, _tools
from oa.problem import Path
from oa.streams import Stream, temporary_stream


@dataclass(slots=True)
class Predictions:
    """What a model says of images."""

    index: NDArray[np.int64]
    """The position of each image."""
    classes: NDArray[np.int64]
    """The predicted class of each."""
    labels: NDArray[np.int64]
    """The true class; -1 where it is not known."""
    logits: NDArray[np.float64]
    """A row for each image, a column for each class."""
    table: dict[str, list[str]]
    """All columns of the table of oa-formats(5), as text."""


class Model(Mapping[str, NDArray[Any]]):
    """A model of oa-train(1): a mapping from names to its tensors.

    `config` is its configuration, as oa-model(5) has it.
    """

    def __init__(self, path: Path) -> None:
        os.stat(path)
        self.path = os.fspath(path)
        tensors = _oa.Tensors(self.path)
        self.config: dict[str, str] = tensors.metadata
        self._arrays: dict[str, NDArray[Any]] = tensors.arrays

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The tensor of that name, read-only."""
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        """The names of the tensors."""
        return iter(self._arrays)

    def __len__(self) -> int:
        """The number of tensors."""
        return len(self._arrays)

    def __repr__(self) -> str:
        return f"<oa.Model {self.path}: {self.config.get('oa.attention', '')}>"

    def pose(self, images: Path | ArrayLike, labels: ArrayLike | None = None,
             **options: Any) -> Stream:  # fmt: skip
        """The problems of the attention of images, a stream of them.

        `images` is an array of bytes (count, height, width) or (count, height, width,
        3), or a file or folder as oa-qubo(1) takes it; so are the options.
        """
        with _files(images, labels) as (path, more):
            return temporary_stream("oa-qubo", [self.path, path], {**options, **more})

    def predict(self, images: Path | ArrayLike, labels: ArrayLike | None = None,
                **options: Any) -> Predictions:  # fmt: skip
        """The classes of images; the options are those of oa-score(1) for a model."""
        with _files(images, labels) as (path, more), tempfile.TemporaryDirectory() as folder:
            table = os.path.join(folder, "predictions.csv")
            _tools.run("oa-score", [path], {**options, **more, "model": self.path, "csv": table})
            with open(table, newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else {})}
        index, classes, labels = (_numbers(columns.get(n, [])) for n in ("idx", "pred", "label"))
        logits = [[float(row[n]) for n in row if n.startswith("logits_")] for row in rows]
        return Predictions(index, classes, labels, np.array(logits), columns)


def _numbers(texts: list[str]) -> NDArray[np.int64]:
    return np.array([int(text) if text else -1 for text in texts], dtype=np.int64)


def _write_idx(path: str, array: NDArray[np.uint8]) -> None:
    """An IDX file of bytes, as MNIST has them."""
    with open(path, "wb") as file:
        file.write(struct.pack(f">BBBB{array.ndim}I", 0, 0, 8, array.ndim, *array.shape))
        file.write(np.ascontiguousarray(array).data)


@contextlib.contextmanager
def _files(
    images: Path | ArrayLike, labels: ArrayLike | None
) -> Iterator[tuple[str, dict[str, str]]]:
    """The file of images, and the option that names that of their labels."""
    if isinstance(images, (str, os.PathLike)):
        if labels is not None and not isinstance(labels, (str, os.PathLike)):
            raise TypeError("labels: expected a file, as images are one")
        yield os.fspath(images), {} if labels is None else {"labels": os.fspath(labels)}
        return
    array = np.asarray(images)
    if array.dtype != np.uint8:
        raise TypeError(f"images: elements of type {array.dtype} (expected uint8)")
    if array.ndim == 2:
        array = array[np.newaxis]
    if array.ndim not in (3, 4):
        raise ValueError(f"images: an array of shape {array.shape} (expected (n,h,w))")
    with tempfile.TemporaryDirectory(prefix="oa-") as folder:
        path = os.path.join(folder, "images-idx3-ubyte")
        _write_idx(path, array)
        more = {}
        if labels is not None:
            more["labels"] = os.path.join(folder, "labels-idx1-ubyte")
            _write_idx(more["labels"], np.asarray(labels, dtype=np.uint8))
        yield path, more


def load(path: Path) -> Model:
    """The model in a file.

    >>> model = oa.load("model.bin")  # doctest: +SKIP
    >>> model.config["oa.attention"]  # doctest: +SKIP
    'optimizing'
    """
    return Model(path)
