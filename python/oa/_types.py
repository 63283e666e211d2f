"""Types of arguments and results."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Literal, TypedDict

from numpy.typing import ArrayLike

Path = str | os.PathLike[str]
Vartype = Literal["binary", "spin"]
Sense = Literal["min", "max"]
Schedule = Literal["geometric", "linear", "linear-beta", "vendor"]
Solver = Literal[
    "auto", "exact", "sa", "pt", "tabu", "sb", "sb-discrete", "cim", "cim-control", "admm", "greedy"
]
Status = Literal[
    "proved optimal", "best found", "stopped", "infeasible", "no feasible solution found"
]
# The names of variables may be anything; a Mapping with keys of one type is none with others.
Weights = Mapping[Any, float]
Linear = ArrayLike | Weights
Fixed = Mapping[Any, int] | Path
# Of a tool: True is a flag, None and False are none.
Option = str | int | float | Path | None
# A JSON object that a tool prints.
Report = dict[str, Any]
Initial = ArrayLike | Weights | Sequence[Weights] | Path
Trace = Callable[[str, float, float], "bool | None"]
Named = dict[Hashable, int]
# Is told (what, done, total).
Progress = Callable[[str, int, int], None]
# Of the extension module: variables and a weight; name, sum, relation and right side; the price
# of a constraint, and how it grows.
Monomial = tuple[list[int], float]
Constraint = tuple[str, list[Monomial], str, float]
Soft = tuple[Constraint, float, str]


class SampleOptions(TypedDict, total=False):
    """The keywords of oa.sample that belong to its chains."""

    sweeps: int | None
    threads: int | None
    time_limit: float | None


class SolveOptions(TypedDict, total=False):
    """The keywords of oa.solve that do not belong to the problem."""

    solver: Solver | None
    time_limit: float | None
    seed: int | None
    top: int | None
    reads: int | None
    sweeps: int | None
    schedule: Schedule | None
    hot: float | None
    cold: float | None
    max_nodes: int | None
    target: float | None
    initial: Initial | None
    fix: Fixed | None
    threads: int | None
    all_optima: bool
    count_optima: bool
    samples: bool
    no_presolve: bool
    no_recover: bool
    trace: Trace | None
