"""What a type checker says to those who use the package."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np
import oa
from typing import Hashable
from typing_extensions import assert_type
from numpy.typing import NDArray

q = {("a", "b"): 2.0, ("a", "a"): -1.0}
assert_type(oa.solve(q, {"a": 1.0}, time_limit=1.0, initial={"a": 1}).x, dict[Hashable, int])
found = oa.solve(np.eye(3), solver="exact", top=2)
assert_type(found.x, NDArray[np.int8])
assert_type(found.top, list[tuple[float, NDArray[np.int8]]])
assert_type(oa.solve([[0, 1], [0, 0]], vartype="spin").x, NDArray[np.int8])
if found.status == "infeasible":
    oa.solve("problem.lp", sense="max")
"""
WRONG = (
    "oa.solve(q, solver='simulated')", "oa.solve(q, sweep=3)", "found.status == 'optimal'",
    "oa.solved(q)",
)  # fmt: skip


def test_calls_have_the_types_of_their_arguments(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("mypy")
    file = tmp_path / "program.py"
    file.write_text(PROGRAM + "\n".join(WRONG) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", file]
    said = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path).stdout
    first = PROGRAM.count("\n") + 1
    errors = {int(line.split(":")[1]) for line in said.splitlines() if ": error: " in line}
    assert errors == set(range(first, first + len(WRONG))), said
