"""Runs the command-line tools that come with the package, for what works on files."""

from __future__ import annotations

import functools
import pathlib
import shutil
import signal
import subprocess
import sysconfig
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from oa._options import words_of

_ERRORS = {2: ValueError, 3: ValueError, 4: OSError}


@functools.cache
def path_of(tool: str) -> str:
    """Where a tool is: beside this Python, or in the folders of PATH."""
    here = pathlib.Path(sysconfig.get_path("scripts")) / tool
    found = str(here) if here.exists() else shutil.which(tool)
    if found is None:
        raise FileNotFoundError(f"{tool}: not found (pip install oa-tools brings it)")
    return found


def run(
    tool: str, operands: Iterable[Any], options: Mapping[str, Any], *, stacklevel: int = 3
) -> subprocess.CompletedProcess[str]:
    """Runs a tool: its warnings become warnings, its errors exceptions."""
    words = [path_of(tool), *words_of(options), "--", *map(str, operands)]
    with subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            out, err = process.communicate()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
    lines = err.splitlines()
    for line in lines:
        if line.startswith(f"{tool}: warning: "):
            warnings.warn(line.removeprefix(f"{tool}: warning: "), stacklevel=stacklevel)
    if process.returncode == 130:
        raise KeyboardInterrupt
    if process.returncode not in (0, 1):
        told = [line for line in lines if not line.startswith(f"{tool}: warning: ")]
        message = (told[-1] if told else "").removeprefix(f"{tool}: ")
        raise _ERRORS.get(process.returncode, RuntimeError)(message or f"{tool} failed")
    return subprocess.CompletedProcess(words, process.returncode, out, err)
