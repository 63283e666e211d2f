"""To a coherent Ising machine and back, oa-cim(5)."""

from __future__ import annotations

import json
import os
import pathlib
import pickle
import re
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oa import _oa, _tools
from oa._oa import Frame
from oa._options import own_options
from oa._types import Option, Path, Report
from oa.problem import Problem, _array, _as_problem, _write
from oa.streams import Stream, file_of

__all__ = ["ingest", "pack", "read_checkpoints"]


def _files(
    problems: object, options: Mapping[str, Option]
) -> tuple[list[str], Sequence[object], dict[str, Option]]:
    """Paths of files of single problems, or of a stream, what keeps them, and options."""
    if isinstance(problems, (str, os.PathLike, Stream)):
        path, kept = file_of(problems)
        return [path], [kept], dict(options)
    given: list[object] = [problems]
    if isinstance(problems, Iterable) and not _is_single(problems):
        given = list(problems)
    frames = [p for p in given if isinstance(p, Frame)]
    if given and len(frames) == len(given):
        path, kept = file_of(frames)
        return [path], [kept], dict(options)
    rest = dict(options)
    paths = [os.fspath(p) for p in given if isinstance(p, (str, os.PathLike))]
    if paths:
        if len(paths) < len(given):
            raise TypeError("problems: files beside others (pack them apart)")
        return paths, [], rest
    reading: dict[str, Any] = {name: rest.pop(name, None) for name in ("vartype", "sense")}
    listed = [_as_problem(p, None, 0.0, **reading) for p in given]
    if any(p.sense == "max" for p in listed):
        if not all(p.sense == "max" for p in listed):
            raise ValueError("sense: some problems are maximised, others not (pack them apart)")
        rest["sense"] = "max"  # the format of these files has none
    files: list[_oa.MemoryFile] = []
    for k, problem in enumerate(listed):
        if problem._core.polynomial is not None:
            files.append(_tools.memory_file(f"{k}.hubo", _hubo(problem)))
            continue
        files.append(_tools.memory_file(f"{k}.bqm"))
        for warning in _write(problem, files[-1].path, "bqm", any_sense=True):
            warnings.warn(warning.replace(files[-1].path, f"problem {k}"), stacklevel=3)
    return [file.path for file in files], files, rest


def _hubo(problem: Problem) -> bytes:
    """A polynomial with its constraints, in the format hubo."""
    monomials, constraints = problem._core.polynomial or ([], [])
    names = problem.names
    keys = [
        name
        if isinstance(name, str)
        else json.dumps(name, ensure_ascii=False, separators=(",", ":"))
        for name in names
    ]
    products = [([name], 0.0) for name in names]  # so that variables keep their order
    products += [([names[i] for i in variables], weight) for variables, weight in monomials]
    model = {
        "hubo": products,
        "vartype": "SPIN" if problem.vartype == "spin" else "BINARY",
        "sense": problem.sense,
        "constraints": [
            {"linear": {keys[i]: w for (i,), w in terms}, "relation": relation, "right": right}
            for _, terms, relation, right in constraints
        ],
    }  # fmt: skip
    return json.dumps(model, ensure_ascii=False).encode()


def _is_single(problems: object) -> bool:
    """Whether it is one problem: a matrix as a list has rows of numbers."""
    if isinstance(problems, (Problem, Mapping)) or hasattr(problems, "shape"):
        return True
    row = problems[0] if isinstance(problems, (list, tuple)) and len(problems) > 0 else None
    return isinstance(row, (list, tuple, np.ndarray)) and len(row) > 0 and np.ndim(row[0]) == 0


def pack(problems: object, path: Path, **options: Option) -> Report:
    """Packs problems as matrices for a machine, into an archive with a manifest.

    Parameters
    ----------
    problems : path, Stream, frames, or one or several of what oa.Problem takes
        The problems.
    path : str or path
        The archive.
    **options
        Those of oa-cim-pack(1): machine, precision, merge, format, ...

    Returns
    -------
    dict
        The summary of oa-cim-pack(1).

    Examples
    --------
    >>> summary = oa.cim.pack([[0, 1], [0, 0]], "mat.tar.gz", machine="cpqc-550")
    ... # doctest: +SKIP
    """
    paths, _kept, rest = _files(problems, options)
    done = _tools.run("oa-cim-pack", paths, own_options(rest, json=True, output=os.fspath(path)))
    return _summary(done)


def ingest(
    manifest: Path,
    results: Path | Iterable[Path] | Mapping[int, ArrayLike],
    **options: Option,
) -> Stream | list[Report]:
    """Verifies what a machine returned, and makes solutions of it.

    Parameters
    ----------
    manifest : str or path
        What :func:`pack` wrote beside the archive.
    results : path, list of paths, or dict
        Files, folders and archives, or the spins of each task: ``{task: array}`` of -1 and
        1, or 0 and 1, a row for each run.  The last spin of an Ising matrix, its reference,
        may be left out.  Of a folder of Kaiwu's CheckpointManager the tasks are taken that
        have the names of the matrices, such as "mat0".
    **options
        Those of oa-cim-ingest(1): missing, choose, top, ...

    Returns
    -------
    Stream or list of dict
        Solutions; of single problems results as oa-anneal(1) prints them.

    Examples
    --------
    >>> solved = oa.cim.ingest("mat.manifest", {0: spins})  # doctest: +SKIP
    """
    kept: list[_oa.MemoryFile] = []
    if isinstance(results, (str, os.PathLike)) and _checkpoints_in(results):
        results = _spins_of_tasks(manifest, results)
    if isinstance(results, Mapping):
        kept = _arrays(os.fspath(manifest), results)
        files = [file.path for file in kept]
    elif isinstance(results, (str, os.PathLike)):
        files = [os.fspath(results)]
    else:
        files = [os.fspath(path) for path in results]
    output = _tools.memory_file("solutions.oa")
    try:
        _tools.run("oa-cim-ingest", [manifest, *files], own_options(options, output=output.path))
    except _oa.NeedsTool:  # PDF files, whose reader only the tool has
        with tempfile.TemporaryDirectory(prefix="oa-") as folder:
            path = os.path.join(folder, "solutions.oa")
            _tools.run_process("oa-cim-ingest", [manifest, *files], {**options, "output": path})
            with open(path, "rb") as file:
                output = _tools.memory_file("solutions.oa", file.read())
    text = output.read()
    if text.startswith(b"{"):
        return [json.loads(line) for line in text.splitlines()]
    return Stream(output)


def read_checkpoints(folder: Path) -> dict[str, NDArray[np.int8]]:
    """Reads the solutions in a folder of Kaiwu's CheckpointManager.

    Each task has a file NAME_HASH_results.pkl there, with an array of spins.  Files that
    contain anything but arrays are refused, and nothing in them is run.

    Parameters
    ----------
    folder : str or path
        What ``kaiwu.common.CheckpointManager.save_dir`` was.

    Returns
    -------
    dict
        The spins of each task by its name: -1 and 1, a row for each run.

    Raises
    ------
    ValueError
        If a file has no spins, or two files are of tasks with one name.

    Examples
    --------
    >>> spins = oa.cim.read_checkpoints("tmp")  # doctest: +SKIP
    >>> solved = oa.cim.ingest("mat.manifest", {0: spins["first"]})  # doctest: +SKIP
    """
    all_spins: dict[str, NDArray[np.int8]] = {}
    for name, path in _checkpoints_in(folder):
        if name in all_spins:
            raise ValueError(f"{folder}: several tasks {name!r} (expected a name for each)")
        try:
            with path.open("rb") as file:
                spins = np.atleast_2d(_ArrayReader(file).load())
            known = spins.ndim == 2 and np.isin(spins, (-1, 1)).all()
        except (pickle.UnpicklingError, EOFError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"{path}: not an array of spins ({error})") from error
        if not known:
            raise ValueError(f"{path}: numbers that are not all -1 and 1")
        all_spins[name] = spins.astype(np.int8)
    return all_spins


def _checkpoints_in(folder: Path) -> list[tuple[str, pathlib.Path]]:
    """Names of tasks and their files; none if it is no folder of checkpoints."""
    found = []
    if os.path.isdir(folder):
        for path in sorted(pathlib.Path(folder).iterdir()):
            if name := re.fullmatch(r"(.*)_[0-9a-f]{32}_results\.pkl", path.name):
                found.append((name[1], path))
    return found


class _ArrayReader(pickle.Unpickler):
    """Reads pickled arrays, and refuses all that is not part of one."""

    PARTS = {
        "dtype": np.dtype,
        "ndarray": np.ndarray,
        "_reconstruct": np.empty(0).__reduce__()[0],
        "_frombuffer": np.empty(0).__reduce_ex__(5)[0],
    }

    def find_class(self, module: str, name: str) -> object:
        if module.partition(".")[0] != "numpy" or name not in self.PARTS:
            raise pickle.UnpicklingError(f"it needs {module}.{name}")
        return self.PARTS[name]


def _spins_of_tasks(manifest: Path, folder: Path) -> dict[int, ArrayLike]:
    """The spins of the tasks that were submitted with the names of their matrices."""
    submitted = _oa.Manifest(os.fspath(manifest))
    spins = read_checkpoints(folder)
    names = {f"{submitted.name}{task}": task for task in submitted.tasks}
    if not names.keys() & spins.keys():
        raise ValueError(
            f"{folder}: no task {submitted.name}{submitted.tasks[0]} (expected tasks with the "
            f"names of matrices; there are {', '.join(spins)})"
        )
    return {task: spins[name] for name, task in names.items() if name in spins}


def _arrays(manifest: str, spins: Mapping[int, ArrayLike]) -> list[_oa.MemoryFile]:
    """Spins of tasks as files in memory, as the machine's SDK would give them."""
    submitted = _oa.Manifest(manifest)
    if not spins:
        raise ValueError("results: no task (expected the spins of one or more)")
    files = []
    for task, values in spins.items():
        rows = np.atleast_2d(_array(values, f"task {task}"))
        if rows.ndim != 2 or rows.size == 0:
            raise ValueError(
                f"task {task}: an array of shape {rows.shape} (expected a row for each run)"
            )
        if not (np.isin(rows, (-1, 1)).all() or np.isin(rows, (0, 1)).all()):
            raise ValueError(f"task {task}: spins that are not all -1 and 1, or all 0 and 1")
        n, reference = submitted.spins(task)
        if rows.shape[1] not in (n, n + reference):
            raise ValueError(
                f"task {task}: rows of {rows.shape[1]} spins (expected {n + reference})"
            )
        files.append(_tools.npy_file(f"{submitted.name}{task}.npy", np.where(rows == 1, 1, -1)))
    return files


def _summary(stderr: str) -> Report:
    for line in reversed(stderr.splitlines()):
        if line.startswith("{"):
            summary: Report = json.loads(line)
            return summary
    return {}
