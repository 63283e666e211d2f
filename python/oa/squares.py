"""oa.least_squares: coefficients of few values, from arrays."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oa import _oa
from oa._options import words_of
from oa._progress import bar
from oa._types import Report, Solver
from oa.problem import _array


@dataclass(slots=True, repr=False)
class LeastSquares:
    """What oa.least_squares found; a row for each query."""

    x: NDArray[np.int8] | NDArray[np.float64] | NDArray[np.complex128]
    """The coefficients, (n,m) or (b,n,m); complex if V or the queries are."""
    residual: NDArray[np.float64]
    """The squared distance of x'V from the query."""
    energy: NDArray[np.float64]
    """residual + lambda * sum of x - |q|^2."""
    bound: NDArray[np.float64]
    """Nothing has a lower energy; -inf where nothing is known."""
    proved: NDArray[np.bool_]
    """Whether x is proved optimal for the given numbers, without rounding."""
    stopped: NDArray[np.bool_]
    """Whether a limit ended the search."""
    seconds: NDArray[np.float64]
    score: Report | None
    """With `truth`, the report of oa-score(1)."""

    def __repr__(self) -> str:
        return (
            f"<oa.LeastSquares: {self.energy.size} problems of {self.x.shape[-1]} coefficients, "
            f"{self.proved.sum()} proved, {self.stopped.sum()} stopped>"
        )


def least_squares(
    V: ArrayLike,
    queries: ArrayLike,
    *,
    coefficients: Literal["binary", "levels", "spin"] = "binary",
    levels: int | None = None,
    lambda_: float | None = None,
    real_coefficients: bool = False,
    encoding: str | None = None,
    truth: ArrayLike | None = None,
    solver: Solver | None = None,
    seed: int | None = None,
    max_nodes: int | None = None,
    reads: int | None = None,
    sweeps: int | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
) -> LeastSquares:
    r"""Minimises \|q - x'V\|² + lambda * sum of x for each query q.

    Complex numbers have complex coefficients unless these are binary or `real_coefficients`.
    The problem is solved in single precision.  Where rounding may matter, the solution is proved
    again for the exact numbers, with at most 3 million nodes or `max_nodes`.

    Parameters
    ----------
    V : array_like
        Values, (m,d) or (b,m,d), real or complex.
    queries : array_like
        (n,d) or (b,n,d), real or complex.
    coefficients : {"binary", "levels", "spin"}, default "binary"
        0 and 1; equal steps from 0 to 1; -1 and 1, or with `levels` the odd numbers around
        0.
    levels : int, optional
        The number of values of a coefficient.
    lambda_ : float, optional
        The weight of the sum of x; 0 by default.
    real_coefficients : bool, default False
        Real coefficients for complex numbers.
    encoding : str, optional
        How levels become binary variables: that of oa-qubo(1).
    truth : array_like, optional
        In the shape of x; then `score` counts errors by problem, coefficient and bit.

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
    LeastSquares
        A row for each query.

    Examples
    --------
    >>> V = np.array([[2.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]])
    >>> found = least_squares(V, [[1.1, 0.9, 0.1], [2.0, 1.0, 2.0]], truth=[[0, 0, 1], [1, 1, 0]])
    >>> found.x.tolist(), found.proved.tolist(), found.residual.round(2).tolist()
    ([[0, 0, 1], [1, 1, 0]], [True, True], [0.03, 0.0])
    >>> found.score["errors"], found.score["bit_errors"]
    (0.0, 0.0)
    """
    v = _numbers(V, "V")
    q = _numbers(queries, "queries")
    posing = words_of(
        {
            "coefficients": coefficients,
            "levels": levels,
            "lambda_": lambda_,
            "real_coefficients": real_coefficients,
            "encoding": encoding,
        }
    )
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
        found = _oa.least_squares(
            v, q, None if truth is None else _numbers(truth, "truth"), posing, words, told
        )
    rows = np.broadcast_shapes(v.shape[:-2], q.shape[:-2]) + q.shape[-2:-1]
    numbers = found.lowest + found.step * found.levels.reshape(*rows, -1).astype(np.float64)
    m = v.shape[-2]
    x: NDArray[np.int8] | NDArray[np.float64] | NDArray[np.complex128] = numbers
    if found.complex:
        x = numbers[..., :m] + 1j * numbers[..., m:]
    elif coefficients != "levels":
        x = numbers.astype(np.int8)
    residual = np.sum(np.abs(q - x @ v) ** 2, axis=-1)
    cost = (lambda_ or 0.0) * numbers.sum(axis=-1)
    energy = residual + cost - np.sum(np.abs(q) ** 2, axis=-1)
    proved = found.proved.view(np.bool_).reshape(rows)
    return LeastSquares(
        x,
        residual,
        energy,
        np.where(proved, energy, np.minimum(energy, found.bound.reshape(rows))),
        proved,
        found.stopped.view(np.bool_).reshape(rows),
        found.seconds.reshape(rows),
        json.loads(found.score) if found.score else None,
    )


def _numbers(values: ArrayLike, what: str) -> NDArray[np.float64] | NDArray[np.complex128]:
    array = _array(values, what)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"{what}: elements of type {array.dtype} (expected numbers)")
    if array.dtype.kind == "c":
        return np.ascontiguousarray(array, dtype=np.complex128)
    return np.ascontiguousarray(array, dtype=np.float64)
