"""Models: their tensors, the problems that they pose, what they predict."""

from __future__ import annotations

import csv
import io
import os
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oa import _oa, _tools
from oa._options import own_options
from oa._types import Option, Path
from oa.problem import _array
from oa.streams import Stream, made_by


@dataclass(slots=True)
class Predictions:
    """What a model says of images."""

    index: NDArray[np.int64]
    """The position of each image."""
    classes: NDArray[np.int64]
    """The predicted class of each."""
    labels: NDArray[np.int64]
    """The true class; -1 where it is not known."""
    probabilities: NDArray[np.float64]
    """A row for each image, a column for each class: the softmax of the model's logits."""
    table: dict[str, list[str]]
    """All columns of the table of oa-formats(5), as text."""


class Model(Mapping[str, NDArray[Any]]):
    """A model of oa-train(1): a mapping from names to its tensors.

    Parameters
    ----------
    path : str or path
        The file.

    Attributes
    ----------
    config : dict
        The configuration, as oa-model(5) has it.
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
        kind = self.config.get("oa.attention", f"{len(self)} tensors")
        return f"<oa.Model {self.path}: {kind}>"

    def pose(self, images: Path | ArrayLike, labels: ArrayLike | None = None,
             **options: Option) -> Stream:  # fmt: skip
        """Poses the problems of the attention of images.

        Parameters
        ----------
        images : array_like or path
            Bytes (count, height, width), (count, height, width, 3) or (count, 3, height,
            width), or a file or folder as oa-qubo(1) takes it.
        labels : array_like or path, optional
            0 to 255, or -1 for all images: unknown.
        **options
            Those of oa-qubo(1).

        Returns
        -------
        Stream
            The problems, in memory.
        """
        path, more, _kept = _files(images, labels)
        return made_by("oa-qubo", [self.path, path], {**options, **more})

    def predict(self, images: Path | ArrayLike, labels: ArrayLike | None = None,
                **options: Option) -> Predictions:  # fmt: skip
        """Predicts the classes of images.

        Parameters
        ----------
        images : array_like or path
            Bytes (count, height, width), (count, height, width, 3) or (count, 3, height,
            width), or a file or folder as oa-qubo(1) takes it.
        labels : array_like or path, optional
            0 to 255, or -1 for all images: unknown.
        **options
            Those of oa-score(1) for a model.

        Returns
        -------
        Predictions
            The class of each image, and the probabilities.
        """
        path, more, _kept = _files(images, labels)
        table = _tools.memory_file("predictions.csv")
        report = _tools.memory_file("report.txt")
        _tools.run(
            "oa-score",
            [path],
            own_options(options, **more, model=self.path, csv=table.path, output=report.path),
        )
        rows = list(csv.DictReader(io.StringIO(table.read().decode())))
        columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else {})}
        index, classes, labels = (_numbers(columns.get(n, [])) for n in ("idx", "pred", "label"))
        # oa-formats(5) calls the columns of probabilities logits.
        shares = [[float(row[n]) for n in row if n.startswith("logits_")] for row in rows]
        return Predictions(index, classes, labels, np.array(shares), columns)


def _numbers(texts: list[str]) -> NDArray[np.int64]:
    return np.array([int(text) if text else -1 for text in texts], dtype=np.int64)


def _idx(name: str, array: NDArray[np.uint8]) -> _oa.MemoryFile:
    """An IDX file of bytes, as MNIST has them, in memory."""
    head = struct.pack(f">BBBB{array.ndim}I", 0, 0, 8, array.ndim, *array.shape)
    return _tools.memory_file(name, head, array)


def _files(
    images: Path | ArrayLike, labels: Path | ArrayLike | None
) -> tuple[str, dict[str, str], list[_oa.MemoryFile]]:
    """The file of images, the option that names that of labels, and what keeps them."""
    if isinstance(images, (str, os.PathLike)):
        if labels is not None and not isinstance(labels, (str, os.PathLike)):
            raise TypeError("labels: expected a file, as images are one")
        return os.fspath(images), {} if labels is None else {"labels": os.fspath(labels)}, []
    given = _array(images, "images")
    if given.dtype != np.uint8:
        raise TypeError(f"images: elements of type {given.dtype} (expected uint8)")
    array: NDArray[np.uint8] = given.astype(np.uint8, copy=False)
    if array.ndim == 2:
        array = array[np.newaxis]
    if array.ndim not in (3, 4):
        raise ValueError(f"images: an array of shape {array.shape} (expected (n,h,w))")
    if array.ndim == 4 and array.shape[-1] == 3:
        array = array.transpose(0, 3, 1, 2)  # planes of a colour, as files have them
    kept = [_idx("images-idx3-ubyte", array)]
    more = {}
    if isinstance(labels, (str, os.PathLike)):
        raise TypeError("labels: a file (expected an array, as images are one)")
    known = None if labels is None else _labels(labels)
    if known is not None:
        kept.append(_idx("labels-idx1-ubyte", known))
        more["labels"] = kept[1].path
    return kept[0].path, more, kept


def _labels(labels: ArrayLike) -> NDArray[np.uint8] | None:
    """Labels as bytes; none if all are -1."""
    array = _array(labels, "labels")
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise TypeError(f"labels: {array.dtype} of shape {array.shape} (expected whole numbers)")
    if array.size > 0 and (array == -1).all():
        return None
    low, high = (array.min().item(), array.max().item()) if array.size > 0 else (0, 0)
    if not 0 <= low <= high <= 255:
        wrong = low if low < 0 else high
        raise ValueError(f"labels: {wrong} (expected 0 to 255, or -1 for all images)")
    return array.astype(np.uint8)


def load(path: Path) -> Model:
    """Reads the model in a file.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    Model
        Its tensors and its configuration.

    Examples
    --------
    >>> model = oa.load("model.bin")  # doctest: +SKIP
    >>> model.config["oa.attention"]  # doctest: +SKIP
    'optimizing'
    """
    return Model(path)
