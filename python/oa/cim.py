"""To a coherent Ising machine and back, oa-cim(5)."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from oa import _oa, _tools
from oa._oa import Frame
from oa.problem import Path, Problem, write
from oa.streams import Stream, file_of

__all__ = ["ingest", "pack"]


@contextlib.contextmanager
def _files(problems: Any) -> Iterator[list[str]]:
    """Files of single problems, or a stream."""
    if isinstance(problems, (str, os.PathLike, Stream)):
        with file_of(problems) as path:
            yield [path]
        return
    single = isinstance(problems, (Problem, Mapping)) or hasattr(problems, "shape")
    listed = [problems] if single else list(problems)
    if listed and all(isinstance(p, Frame) for p in listed):
        with file_of(listed) as path:
            yield [path]
        return
    with tempfile.TemporaryDirectory(prefix="oa-") as folder:
        paths = []
        for k, problem in enumerate(listed):
            if isinstance(problem, (str, os.PathLike)):
                paths.append(os.fspath(problem))
                continue
            paths.append(os.path.join(folder, f"{k}.bqm"))
            write(problem, paths[-1], "bqm")
        yield paths


def pack(problems: Any, path: Path, **options: Any) -> dict[str, Any]:
    """Packs problems as matrices for a machine, into an archive with a manifest.

    `problems` is a stream, frames, a file, or one or several of what
    :class:`oa.Problem` takes.  The options are those of oa-cim-pack(1): machine,
    precision, merge, format, ...  Returns its summary.

    >>> summary = oa.cim.pack([[0, 1], [0, 0]], "mat.tar.gz", machine="cpqc-550")
    ... # doctest: +SKIP
    """
    with _files(problems) as paths:
        done = _tools.run(
            "oa-cim-pack", paths, {**options, "json": True, "output": os.fspath(path)}
        )
    return _summary(done.stderr)


def ingest(
    manifest: Path,
    results: Path | Iterable[Path] | Mapping[int, ArrayLike],
    **options: Any,
) -> Stream | list[dict[str, Any]]:
    """Verifies what a machine returned, and makes solutions of it.

    `results` are files, folders and archives, or the spins of each task:
    ``{task: array}`` of -1 and 1, or 0 and 1, a row for each read.  The options are those of
    oa-cim-ingest(1): missing, choose, top, ...  Returns a stream of solutions, or, for
    single problems, results as oa-anneal(1) prints them.
    """
    folder = tempfile.TemporaryDirectory(prefix="oa-")
    if isinstance(results, Mapping):
        files = _logs(os.fspath(manifest), results, folder.name)
    elif isinstance(results, (str, os.PathLike)):
        files = [os.fspath(results)]
    else:
        files = [os.fspath(path) for path in results]
    path = os.path.join(folder.name, "solutions.oa")
    _tools.run("oa-cim-ingest", [manifest, *files], {**options, "output": path})
    with open(path, "rb") as file:
        lines = file.read(1) == b"{"
    if lines:
        with open(path, encoding="utf-8") as text:
            return [json.loads(line) for line in text]
    stream = Stream(path)
    stream._folder = folder
    return stream


def _logs(manifest: str, spins: Mapping[int, ArrayLike], folder: str) -> list[str]:
    """Arrays of spins as logs of the machine, with the energies that belong to them."""
    submitted = _oa.Manifest(manifest)
    paths = []
    for task, values in spins.items():
        rows = np.atleast_2d(np.asarray(values))
        if not np.isin(rows, (-1, 0, 1)).all():
            raise ValueError(f"task {task}: a spin that is not -1, 0 or 1")
        paths.append(os.path.join(folder, f"{submitted.name}{task}.log"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(submitted.log(task, np.ascontiguousarray(rows == 1, dtype=np.uint8)))
    return paths


def _summary(stderr: str) -> dict[str, Any]:
    for line in reversed(stderr.splitlines()):
        if line.startswith("{"):
            summary: dict[str, Any] = json.loads(line)
            return summary
    return {}
