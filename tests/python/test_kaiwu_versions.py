"""oa.kaiwu beside versions of Kaiwu that have other names."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

# The names of kaiwu 1.3.1, as its wheel lists them; its code needs CPython 3.10.
OF_1_3 = {
    "__init__.py": '__version__ = "1.3.1"\n',
    "core/__init__.py": """
class OptimizerBase:
    def __init__(self):
        self.matrix = None

    def set_matrix(self, ising_matrix):
        if ising_matrix is not None:
            self.matrix = ising_matrix
        if self.matrix is None:
            raise ValueError("Ising matrix must be set")

class SolverBase:
    def __init__(self, optimizer):
        self.optimizer = optimizer

class BinaryExpression:
    coefficient = {("bx",): -2.0, ("bx", "by"): 3.0, ("by",): -1.0}
    offset = 0.5

    def get_variables(self):
        return {"bx": 0, "by": 1}
""",
    "ising/__init__.py": "class Spin: ...\n",
    "qubo/__init__.py": """
from kaiwu.core import BinaryExpression

class QuboModel:
    objective = BinaryExpression()
    hard_constraints = soft_constraints = {}

    def compile_constraints(self): ...

    def make(self):
        return self.objective

    def get_variables(self):
        return self.objective.get_variables()

    def get_sol_dict(self, solution):
        return {name[1:]: solution[i] for name, i in self.get_variables().items()}
""",
}


def run(folder: pathlib.Path, files: dict[str, str], code: str) -> str:
    for name, text in files.items():
        path = folder / "kaiwu" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(folder)}, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_names_of_1_3(tmp_path: pathlib.Path) -> None:
    code = """
import kaiwu.qubo, numpy as np, oa.kaiwu
solver = oa.kaiwu.Solver(top=2)
print(solver.solve(np.array([[0, 1], [1, 0]])).tolist(), solver.proved, solver.solve().shape)
print(oa.kaiwu.Sampler(reads=5).solve(np.array([[0, 1], [1, 0]])).shape)
print(solver.solve_qubo(kaiwu.qubo.QuboModel()))
"""
    printed = "[[1, 1], [-1, 1]] True (2, 2)\n(5, 2)\n({'x': 1.0, 'y': 0.0}, -1.5)\n"
    assert run(tmp_path, OF_1_3, code) == printed


@pytest.mark.parametrize("missing", ["ising/__init__.py", "qubo/__init__.py"])
def test_missing_names_are_told(tmp_path: pathlib.Path, missing: str) -> None:
    files = {name: text for name, text in OF_1_3.items() if name != missing}
    name = {"i": "Spin", "q": "QuboModel"}[missing[0]]
    said = run(tmp_path, files, "import oa.kaiwu")
    assert f"ImportError: oa.kaiwu: Kaiwu (1.3.1) lacks {name} (expected kaiwu-community" in said


def test_kaiwu_that_is_broken_or_missing(tmp_path: pathlib.Path) -> None:
    broken = {**OF_1_3, "core/__init__.py": "import nothing_of_this_name\n"}
    assert "No module named 'nothing_of_this_name'" in run(tmp_path, broken, "import oa.kaiwu")
    code = "import sys; sys.modules['kaiwu'] = None; import oa.kaiwu"
    assert "pip install kaiwu-community" in run(tmp_path, {}, code)
