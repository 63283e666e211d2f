"""Types of arguments and results."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from typing import Literal

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
Linear = ArrayLike | Mapping[Hashable, float]
Fixed = Mapping[Hashable, int] | Path
# Of a tool: True is a flag, None and False are none.
Option = str | int | float | Path | None
Initial = ArrayLike | Mapping[Hashable, float] | Sequence[Mapping[Hashable, float]] | Path
