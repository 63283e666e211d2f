"""What the command-line tools do with files, in this process."""

from __future__ import annotations

import functools
import io
import pathlib
import shutil
import signal
import subprocess
import sysconfig
import warnings
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from oa import _oa
from oa._options import words_of
from oa._progress import bar
from oa._types import Option, Path

_ERRORS = {2: ValueError, 3: ValueError, 4: OSError}


def memory_file(name: str, *parts: bytes | NDArray[np.generic]) -> _oa.MemoryFile:
    """A file in memory, of these bytes."""
    flat = [
        np.frombuffer(part, np.uint8)
        if isinstance(part, bytes)
        else np.ascontiguousarray(part).reshape(-1).view(np.uint8)
        for part in parts
    ]
    return _oa.MemoryFile(name, flat)


def npy_file(name: str, array: NDArray[np.generic]) -> _oa.MemoryFile:
    """A file in memory, of an array in numpy's format."""
    file = io.BytesIO()
    np.save(file, array)
    return memory_file(name, file.getvalue())


def run(
    tool: str, operands: Iterable[Path], options: Mapping[str, Option], *, stacklevel: int = 3
) -> str:
    """Does what a tool does: its warnings become warnings, its errors exceptions.

    Returns what it writes for a person, or its summary.
    """
    options = dict(options)
    quiet = bool(options.pop("quiet", False))
    words = [*words_of(options), "--", *map(str, operands)]
    with bar(False if quiet else None) as told:
        status, texts = _oa.run_tool(tool, words, told)
    return _heard(tool, status, "".join(texts), quiet, stacklevel + 1)


def _heard(tool: str, status: int, text: str, quiet: bool, stacklevel: int) -> str:
    begin = f"{tool}: warning: "
    rest = []
    for line in text.splitlines():
        if not line.startswith(begin):
            rest.append(line)
        elif not quiet:
            warnings.warn(line.removeprefix(begin), stacklevel=stacklevel)
    if status == 130:
        raise KeyboardInterrupt
    if status > 1:
        message = (rest[-1] if rest else "").removeprefix(f"{tool}: ")
        raise _ERRORS.get(status, RuntimeError)(message or f"{tool} failed")
    return "\n".join(rest)


@functools.cache
def _path_of(tool: str) -> str:
    """Where a tool is: beside this Python, or in the folders of PATH."""
    here = pathlib.Path(sysconfig.get_path("scripts")) / tool
    found = str(here) if here.exists() else shutil.which(tool)
    if found is None:
        raise FileNotFoundError(f"{tool}: not found (the wheel of this package has it)")
    return found


def run_process(tool: str, operands: Iterable[Path], options: Mapping[str, Option]) -> str:
    """The same in a process of its own."""
    words = [*words_of(options), "--", *map(str, operands)]
    with subprocess.Popen(
        [_path_of(tool), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            _, err = process.communicate()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
    return _heard(tool, process.returncode, err, bool(options.get("quiet")), 4)
