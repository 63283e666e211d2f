"""oa.solve_batch: many problems that share couplings, the shape of attention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oa import _oa
from oa._options import words_of
from oa._progress import bar
from oa._types import Solver
from oa.problem import _array


@dataclass(slots=True, repr=False)
class Batch:
    """What oa.solve_batch found; a row for each problem, in the shape of h."""

    x: NDArray[np.int8] | NDArray[np.float32]
    """0 and 1; numbers from 0 to 1 where coefficients are not binary."""
    energy: NDArray[np.float64]
    bound: NDArray[np.float64]
    """Nothing has a lower energy; -inf where nothing is known."""
    proved: NDArray[np.bool_]
    """Whether x is proved optimal."""
    stopped: NDArray[np.bool_]
    """Whether a limit ended the search."""
    nodes: NDArray[np.int64]
    """Of the search tree of each; 0 without one."""
    seconds: NDArray[np.float64]

    def __repr__(self) -> str:
        return (
            f"<oa.Batch: {self.energy.size} problems of {self.x.shape[-1]} variables, "
            f"{self.proved.sum()} proved, {self.stopped.sum()} stopped>"
        )


def solve_batch(
    J: ArrayLike,
    h: ArrayLike,
    *,
    coefficients: Literal["binary", "continuous"] = "binary",
    levels: int | None = None,
    solver: Solver | None = None,
    seed: int | None = None,
    max_nodes: int | None = None,
    reads: int | None = None,
    sweeps: int | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
) -> Batch:
    """Minimises x'Jx/2 + h'x for each row of h.

    Problems with one J share what it takes to prepare.  Numbers are rounded to float32, and
    proofs hold for the rounded ones.  The answers are those of oa-anneal(1) for a stream of
    these problems.  With tqdm a bar shows progress in a terminal and in a notebook.

    Parameters
    ----------
    J : array_like
        Symmetric couplings, (m,m) or (b,m,m).
    h : array_like
        Linear terms, (n,m) or (b,n,m): b times n problems of m variables.
    coefficients : {"binary", "continuous"}, default "binary"
        The values of x: 0 and 1, or numbers from 0 to 1.
    levels : int, optional
        From 2 to 16: x are multiples of 1 / (levels - 1).

    solver : str, optional
        One of `oa.solvers`; "auto" by default, which proves while that is quick.

    seed : int, default 1
        Seed of the random streams; the same seed gives the same result.
    max_nodes : int, optional
        Most nodes of a search tree, for the same result on every machine.
    reads : int, optional
        Independent attempts of a heuristic.
    sweeps : int, optional
        Length of a read.
    time_limit : float, optional
        Seconds for each problem; without it there is no limit.
    threads : int, optional
        Threads to use; all by default.  Results do not depend on them.

    Returns
    -------
    Batch
        A row for each problem.

    Examples
    --------
    >>> b = solve_batch([[2, 1], [1, 2]], [[-2, -3], [1, -1.5]])
    >>> b.x.tolist(), b.energy.tolist(), b.proved.tolist()
    ([[0, 1], [0, 1]], [-2.0, -0.5], [True, True])
    """
    couplings = _floats(J, "J")
    fields = _floats(h, "h")
    m = couplings.shape[-1]
    shape = fields.shape
    if couplings.ndim not in (2, 3) or couplings.shape[-2] != m or m == 0:
        raise ValueError(f"J: an array of shape {couplings.shape} (expected (m,m) or (b,m,m))")
    if fields.ndim not in (2, 3) or shape[-1] != m:
        raise ValueError(f"h: an array of shape {shape} (expected (n,{m}) or (b,n,{m}))")
    if couplings.ndim == 3 and (fields.ndim != 3 or shape[0] != couplings.shape[0]):
        raise ValueError(f"h: an array of shape {shape} beside J of {couplings.shape}")
    if coefficients not in ("binary", "continuous"):
        raise ValueError(f"coefficients: {coefficients!r} (expected binary or continuous)")
    if levels is not None:
        if coefficients != "binary" or not 2 <= levels <= 16:
            raise ValueError(f"levels: {levels!r} (expected 2 to 16, of binary coefficients)")
    if fields.size == 0:
        fields = fields.reshape(0, 1, m)
    words = words_of(
        {
            "solver": solver,
            "seed": seed,
            "max_nodes": max_nodes,
            "reads": reads,
            "sweeps": sweeps,
            "time_limit": time_limit,
            "threads": threads,
        }
    )
    with bar() as told:
        found = _oa.solve_batch(
            couplings if couplings.ndim == 3 else couplings[np.newaxis],
            fields if fields.ndim == 3 else fields[np.newaxis],
            coefficients,
            levels,
            words,
            told,
        )
    rows = shape[:-1]
    return Batch(
        found.x.reshape(shape),
        found.energy.reshape(rows),
        found.bound.reshape(rows),
        (found.status == 0).reshape(rows),
        (found.status == 2).reshape(rows),
        found.nodes.reshape(rows),
        found.seconds.reshape(rows),
    )


def _floats(values: ArrayLike, what: str) -> NDArray[np.float32]:
    array = _array(values, what)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{what}: elements of type {array.dtype} (expected numbers)")
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(array, dtype=np.float32)
