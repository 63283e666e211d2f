"""What the tests share: the tools, and whether the long forms run."""

from __future__ import annotations

import gzip
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sysconfig
from typing import Any

import numpy as np
import pytest

# Options of a training whose steps are those of an optimiser alone.
STEPS = ["--average", 0, "--shift", 0, "--rotate", 0, "--scale", 0, "--shear", 0, "--warmup", 0,
         "--schedule", "constant"]  # fmt: skip


def tool(name: str) -> str:
    """A tool of the wheel; without one, of the path."""
    here = pathlib.Path(sysconfig.get_path("scripts")) / name
    found = str(here) if here.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"no {name}")
    return found


def run(name: str, *words: Any, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [tool(name), *map(str, words)], capture_output=True, text=True, check=check
    )


def anneal(*words: Any) -> dict[str, Any]:
    """The result of oa-anneal for one problem."""
    done = run("oa-anneal", "-q", *words, check=False)
    assert done.returncode in (0, 1), done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(int(os.environ.get("SEED", "7")))


def rounds(short: int, long: int) -> int:
    """How often a random test runs: LONG=1 in the environment for the long form."""
    return long if os.environ.get("LONG") else short


def numbers_of(path: pathlib.Path) -> np.ndarray[Any, Any]:
    """An IDX file of bytes, ints or floats, perhaps compressed."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    shape = struct.unpack(f">{data[3]}i", data[4 : 4 + 4 * data[3]])
    kind = {8: "u1", 12: ">i4", 13: ">f4"}[data[2]]
    read = np.frombuffer(data, kind, offset=4 + 4 * data[3]).reshape(shape)
    return read.astype(read.dtype.newbyteorder("="))


def checkpoint(path: pathlib.Path) -> dict[str, Any]:
    """The tensors of a checkpoint of oa-train."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    found = {}
    for name, entry in json.loads(data[8 : 8 + size]).items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            first, last = entry["data_offsets"]
            array = np.frombuffer(data[8 + size + first : 8 + size + last], "<f4")
            found[name] = array.reshape(entry["shape"])
    return found
