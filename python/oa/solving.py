"""oa.solve: one problem."""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oa import _oa
from oa._options import words_of
from oa._types import (
    Fixed,
    Initial,
    Linear,
    Named,
    Schedule,
    Sense,
    SolveOptions,
    Solver,
    Status,
    Trace,
    Vartype,
    Weights,
)
from oa.problem import Problem, _array, _as_problem, _native, _vector

if TYPE_CHECKING:
    from typing_extensions import Unpack

solvers = _oa.solvers()
"""The names of all solvers."""

X = TypeVar("X", NDArray[np.int8], Named)  # a dictionary if the problem was one


@dataclass(slots=True, repr=False)
class Result(Generic[X]):
    """What oa.solve found.  The fields are those of the results of oa-anneal(1)."""

    x: X
    """The best values: an int8 array, or a dictionary if the problem was one."""
    energy: float
    """Their energy, computed exactly and rounded once."""
    bound: float
    """No x is better; infinite if nothing is known."""
    status: Status
    """"proved optimal", "best found" or "stopped"; of constraints "infeasible" or
    "no feasible solution found"."""
    solver: Solver
    """What was asked for."""
    method: str
    """What found x."""
    found_by: str
    """What first found an energy as good."""
    proved_by: str
    """What proved the optimum, or ""."""
    seconds: float
    top: list[tuple[float, X]]
    """The lowest distinct solutions, best first: (energy, x)."""
    fixed: int | None = None
    """How many variables had values already."""
    target_reached: bool | None = None
    feasible: bool | None = None
    """Whether x satisfies all constraints, if there are some."""
    violated: str = ""
    """The first constraint that x violates."""
    tolerance: float = 0.0
    """How far from holding a constraint may be, in parts of its weights; 0 if all are exact."""
    recovered: dict[str, int | str] | None = None
    """What the couplings show of the problem behind them, if anything: how many products,
    constraints, conflicts and numbers."""
    optima: list[X] | None = None
    """With all_optima: every optimum that was found."""
    optima_complete: bool | None = None
    """Whether it is proved that there are no others."""
    optima_count: int | None = None
    """With count_optima: their number; 2**64 - 1 means more, too."""
    samples: list[tuple[float, X, int]] | None = None
    """With samples: (energy, x, count) of what reads ended in, best first."""
    objective: float | None = None
    """With soft constraints: the energy without what x pays for them."""
    penalty: float | None = None
    """What x pays for all soft constraints."""
    soft: dict[str, float] | None = None
    """The soft constraints that x violates, and what it pays for each."""
    values: dict[Hashable, int] | None = None
    """The values of integers, whose digits are in an array x; a dictionary x has them, too."""
    names: list[Hashable] | None = None
    """What the variables of x are called, if they have names."""

    def __repr__(self) -> str:
        bound = "" if self.proved else f"bound {self.bound!r}, "
        return (
            f"<oa.Result: energy {self.energy!r}, {bound}{self.status}, "
            f"{len(self.x)} variables, {self.seconds:.3g} s>"
        )

    @property
    def proved(self) -> bool:
        """Whether x is proved optimal."""
        return self.status == "proved optimal"

    @property
    def gap(self) -> float:
        """How much better than x something unknown may be; 0 where x is proved."""
        return abs(self.energy - self.bound)


@overload
def solve(
    Q: Weights,
    h: Weights | None = None,
    offset: float = 0.0,
    *,
    vartype: Vartype | None = None,
    sense: Sense | None = None,
    **options: Unpack[SolveOptions],
) -> Result[Named]: ...


@overload
def solve(
    Q: NDArray[np.number | np.bool_] | Sequence[Sequence[float]],
    h: ArrayLike | None = None,
    offset: float = 0.0,
    *,
    vartype: Vartype | None = None,
    sense: Sense | None = None,
    **options: Unpack[SolveOptions],
) -> Result[NDArray[np.int8]]: ...


@overload
def solve(
    Q: object,
    h: Linear | None = None,
    offset: float = 0.0,
    *,
    vartype: Vartype | None = None,
    sense: Sense | None = None,
    **options: Unpack[SolveOptions],
) -> Result[Any]: ...


def solve(
    Q: object,
    h: Linear | None = None,
    offset: float = 0.0,
    *,
    vartype: Vartype | None = None,
    sense: Sense | None = None,
    solver: Solver | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    top: int | None = None,
    reads: int | None = None,
    sweeps: int | None = None,
    schedule: Schedule | None = None,
    hot: float | None = None,
    cold: float | None = None,
    max_nodes: int | None = None,
    target: float | None = None,
    initial: Initial | None = None,
    fix: Fixed | None = None,
    threads: int | None = None,
    all_optima: bool = False,
    count_optima: bool = False,
    samples: bool = False,
    no_presolve: bool = False,
    no_recover: bool = False,
    trace: Trace | None = None,
) -> Result[Any]:
    """Minimises or maximises x'Qx + h'x + offset.

    Ctrl-C stops a search with KeyboardInterrupt, :func:`stop` with the best solution so far.

    Parameters
    ----------
    Q : array_like, sparse matrix, dict, Problem, model or path
        What :class:`Problem` takes, a Problem, or the path of a file.
    h : array_like or dict, optional
        The weight of each variable alone; a dictionary if Q is one.
    offset : float, default 0
        The constant.

    vartype : {"binary", "spin"}, optional
        Values 0 and 1, or -1 and 1; by default binary, or as the file says.
    sense : {"min", "max"}, optional
        By default min, or as the file says.

    solver : str, optional
        One of `oa.solvers`; "auto" by default, which proves while that is quick.

    time_limit : float, optional
        Seconds; heuristics use all of it, unless `reads` or `sweeps` limits them.
    seed : int, default 1
        Seed of the random streams.
    top : int, default 1
        Keep so many of the lowest distinct solutions.
    reads : int, optional
        Independent attempts of a heuristic.
    sweeps : int, optional
        Length of a read, in sweeps, steps or laps.
    schedule : {"geometric", "linear", "linear-beta", "vendor"}, optional
        How sa cools.
    hot, cold : float, optional
        First and last temperature of sa, highest and lowest of pt, in units of energy.
    max_nodes : int, optional
        Most nodes of a search tree.  Unlike a time limit, it gives the same result on every
        machine.
    target : float, optional
        Stop at an energy as good as this.
    initial : array_like, dict, list or path, optional
        A vector to start from, or several in a list: read k begins at vector k modulo their
        number, and no result is worse than any of them.  Dictionaries may lack variables.
    fix : dict or path, optional
        Variables that have values already.
    threads : int, optional
        Threads to use; all by default.  Results do not depend on them.
    all_optima : bool, default False
        List all optima, at most 10,000, as `optima` of the result.
    count_optima : bool, default False
        Count the optima, as `optima_count` of the result.
    samples : bool, default False
        Keep what each read of sa ended in, as `samples` of the result.
    no_presolve : bool, default False
        Solve the problem as it is.
    no_recover : bool, default False
        Do not look for what a quadratic problem was made from.
    trace : callable, optional
        Is told each better "energy" and "bound": trace(what, value, seconds); the search
        stops if it returns True.

    Returns
    -------
    Result
        The best solution, with its bound.

    Raises
    ------
    ValueError
        If the problem or an option is wrong, or the solver does not use the option.

    Examples
    --------
    >>> r = solve({("a", "b"): 2, ("a", "a"): -1, ("b", "b"): -1.5})
    >>> r.x, r.energy, r.status
    ({'a': 0, 'b': 1}, -1.5, 'proved optimal')
    >>> solve([[0, 1], [0, 0]], [0.5, 0], vartype="spin").energy
    -1.5
    """
    problem = _as_problem(Q, h, offset, vartype, sense, borrow=True)
    words = words_of(
        {
            "solver": solver,
            "time_limit": time_limit,
            "seed": seed,
            "top": top,
            "reads": reads,
            "sweeps": sweeps,
            "schedule": schedule,
            "hot": hot,
            "cold": cold,
            "max_nodes": max_nodes,
            "target": target,
            "threads": threads,
            "all_optima": all_optima,
            "count_optima": count_optima,
            "no_presolve": no_presolve,
            "no_recover": no_recover,
        }
    )
    core = problem._core
    start = None if initial is None else _starts(problem, initial)
    fixed = None if fix is None else _fixed(problem, fix)
    found = _oa.solve(core, words, start, fixed, samples, trace)
    for warning in found.warnings:
        warnings.warn(warning, stacklevel=2)
    x = found.x
    result: Result[Any] = Result(
        x=x,
        energy=found.energy,
        bound=found.bound,
        status=found.status,
        solver=found.solver,
        method=found.method,
        found_by=found.found_by,
        proved_by=found.proved_by,
        seconds=found.seconds,
        top=found.top or [(found.energy, x)],
        fixed=found.fixed,
        target_reached=found.target_reached,
        feasible=found.feasible,
        violated=found.violated,
        tolerance=found.tolerance,
        recovered=found.recovered,
        optima=found.optima,
        optima_complete=found.optima_complete,
        optima_count=found.optima_count,
        samples=found.samples,
        objective=found.objective,
        penalty=found.penalty,
        soft=found.soft,
        names=problem._names,
    )
    if problem._integers:
        bits = x.tolist()
        result.values = {name: one.value(bits) for name, one in problem._integers.items()}
    if problem._named:
        _name(result, problem)
    return result


def states_of(found: Result[X]) -> list[tuple[float, X, int]]:
    """Energy, values and count of each state that a result has."""
    if found.samples is not None:
        return found.samples
    if found.optima is not None:
        return [(found.energy, x, 1) for x in found.optima]
    return [(energy, x, 1) for energy, x in found.top]


def _name(result: Result[Any], problem: Problem) -> None:
    """Makes dictionaries of all x."""

    def named(x: NDArray[np.int8]) -> Named:
        return problem._named_values(x.tolist())

    result.x = named(result.x)
    result.top = [(energy, named(x)) for energy, x in result.top]
    if result.optima is not None:
        result.optima = [named(x) for x in result.optima]
    if result.samples is not None:
        result.samples = [(energy, named(x), count) for energy, x, count in result.samples]


def _starts(problem: Problem, initial: Initial) -> NDArray[np.float64]:
    """Initial vectors as rows; infinity means an open value."""
    if isinstance(initial, (str, os.PathLike)):
        os.stat(initial)
        return _oa.read_vectors(os.fspath(initial))
    if isinstance(initial, Mapping):
        initial = [initial]
    if isinstance(initial, (list, tuple)) and any(isinstance(x, Mapping) for x in initial):
        return np.array([_start(problem, x) for x in initial])
    rows = np.atleast_2d(_native(_array(initial, "initial"), "initial"))
    if rows.ndim != 2:
        raise ValueError(f"initial: shape {rows.shape} (expected a vector, or a list of vectors)")
    return np.ascontiguousarray(rows, dtype=np.float64)


def _start(problem: Problem, values: Mapping[Hashable, float]) -> NDArray[np.float64]:
    row = np.full(len(problem), np.inf)
    values = problem._bits(values, "initial")
    for name, value in zip(values, _vector(list(values.values()), "initial")):
        place = problem._place(name)
        if place is None:
            raise ValueError(f"initial: {name!r} is no variable of the problem")
        row[place] = value
    return row


def _fixed(problem: Problem, fix: Fixed) -> NDArray[np.uint8]:
    if isinstance(fix, (str, os.PathLike)):
        os.stat(fix)
        return _oa.read_fixed(os.fspath(fix), problem._core)
    if not isinstance(fix, Mapping):
        raise TypeError("fix: expected a dictionary of variables and values, or a file")
    values = np.full(len(problem), 2, dtype=np.uint8)
    zero = -1 if problem._core.spin else 0
    for name, value in problem._bits(fix, "fix").items():
        place = problem._place(name)
        if place is None:
            raise ValueError(f"fix: {name!r} is no variable of the problem")
        if value not in (zero, 1):
            raise ValueError(f"fix: the value {value!r} of {name!r} (expected {zero} or 1)")
        values[place] = value == 1
    return values


def stop() -> None:
    """Stops all searches that have begun, in all threads; each returns its best.

    Examples
    --------
    >>> stop()
    """
    _oa.stop()
