"""Streams of problems and solutions, oa-stream(5)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oa import _oa, _tools
from oa._oa import Frame
from oa._options import own_options
from oa._types import Option, Path, Report


class Stream:
    """The frames of a stream, one after the other.

    Each frame has arrays by name, which are views of its bytes: ``frame["J"]``,
    ``frame["h"]``, of a solution also ``frame["x"]`` and ``frame["energy"]``.
    `frame.head` is the head of its part: the model's configuration as
    `frame.head.metadata`, and the tensors that classify.  A stream can be iterated over
    again.

    Parameters
    ----------
    path : str or path
        The file.
    """

    def __init__(self, path: Path | _oa.MemoryFile) -> None:
        self._file = path if isinstance(path, _oa.MemoryFile) else None
        if isinstance(path, _oa.MemoryFile):
            self.path = path.path
        else:
            os.stat(path)
            self.path = os.fspath(path)

    def __iter__(self) -> Iterator[Frame]:
        reader = _oa.StreamReader(self.path)
        while (frame := reader.next()) is not None:
            yield frame

    def complete(self) -> bool:
        """Reads the stream, and returns whether its marks say that nothing is missing.

        Returns
        -------
        bool
            False if frames are missing.
        """
        reader = _oa.StreamReader(self.path)
        while reader.next() is not None:
            pass
        return reader.complete


def stream(path: Path) -> Stream:
    """Opens the stream in a file.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    Stream
        Its frames, one after the other.

    Examples
    --------
    >>> frames = list(oa.stream("problems.oa"))  # doctest: +SKIP
    >>> frames[0]["J"].shape  # doctest: +SKIP
    (49, 49)
    """
    return Stream(path)


def write_stream(path: Path, frames: Iterable[Frame]) -> None:
    """Writes frames, and the heads of their parts, byte for byte as they are.

    Parameters
    ----------
    path : str or path
        The file.
    frames : iterable of Frame
        A Stream, or a list.
    """
    complete = frames.complete() if isinstance(frames, Stream) else True
    writer = _oa.StreamWriter(os.fspath(path))
    for frame in frames:
        writer.write(frame)
    writer.finish(complete)


_TYPES: dict[str, type[np.generic]] = {
    "J": np.float32, "h": np.float32, "V": np.float32, "index": np.int64, "label": np.int64,
    "x": np.uint8, "energy": np.float64, "bound": np.float64, "status": np.uint8,
    "seconds": np.float64,
}  # fmt: skip


def frame(head: Frame, kind: str = "problem", **arrays: ArrayLike) -> Frame:
    """Makes a frame in the part of `head`.

    Parameters
    ----------
    head : Frame
        A frame of the part, such as ``frame.head``.
    kind : {"problem", "solution"}, default "problem"
        What the arrays are.
    **arrays
        The arrays that oa-stream(5) names; `index` and `label` may be numbers.

    Returns
    -------
    Frame
        The frame.

    Examples
    --------
    >>> oa.frame(head, J=J, h=h, index=3)  # doctest: +SKIP
    """
    checked: dict[str, NDArray[np.generic]] = {}
    for name, values in arrays.items():
        array = np.atleast_1d(np.asarray(values))
        checked[name] = np.ascontiguousarray(_converted(array, _TYPES.get(name), name))
    return _oa.make_frame(head, kind, checked)


def _converted(
    array: NDArray[np.generic], dtype: type[np.generic] | None, name: str
) -> NDArray[np.generic]:
    """The same numbers in the type of a stream; only numbers with a fraction are rounded."""
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise TypeError(f"{name}: elements of type {array.dtype} (expected numbers)")
    with np.errstate(over="ignore", invalid="ignore"):
        converted = array.astype(dtype or array.dtype.newbyteorder("="), copy=False)
    if converted.dtype.kind in "iu" and not (converted == array).all():
        raise ValueError(f"{name}: a number that is no {converted.dtype}")
    return converted


def made_by(tool: str, operands: Iterable[Path], options: Mapping[str, Option]) -> Stream:
    """The stream that a tool writes, in memory."""
    file = _tools.memory_file("stream.oa")
    _tools.run(tool, operands, own_options(options, output=file.path), stacklevel=4)
    return Stream(file)


def file_of(frames: Path | Iterable[Frame]) -> tuple[str, object]:
    """The path of a file with the frames, and what keeps it."""
    if isinstance(frames, Stream):
        return frames.path, frames
    if isinstance(frames, (str, os.PathLike)):
        return os.fspath(frames), None
    file = _tools.memory_file("frames.oa")
    write_stream(file.path, frames)
    return file.path, file


def solve_stream(frames: Path | Iterable[Frame], **options: Option) -> Stream:
    """Solves all problems of a stream.

    Parameters
    ----------
    frames : path, Stream or iterable of Frame
        The problems.
    **options
        Those of oa-anneal(1): solver, seed, top, reads, time_limit, ...

    Returns
    -------
    Stream
        The solutions, in memory.

    Examples
    --------
    >>> solved = oa.solve_stream(problems, solver="exact")  # doctest: +SKIP
    """
    path, _kept = file_of(frames)
    return made_by("oa-anneal", [path], options)


def score(frames: Path | Iterable[Frame], **options: Option) -> Report:
    """Counts what the solutions of a stream say.

    Parameters
    ----------
    frames : path, Stream or iterable of Frame
        The solutions.
    **options
        Those of oa-score(1).

    Returns
    -------
    dict
        The report of oa-score(1).

    Examples
    --------
    >>> oa.score(solved)["accuracy"]  # doctest: +SKIP
    0.9702
    """
    path, _kept = file_of(frames)
    output = _tools.memory_file("report.json")
    _tools.run("oa-score", [path], own_options(options, json=True, output=output.path))
    report: Report = json.loads(output.read())
    return report
