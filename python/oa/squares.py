"""oa.least_squares: coefficients of few values, from arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oa import _oa, _tools
from oa._doubles import MOST_NODES, Doubles, real_forms
from oa._oa import Frame
from oa._types import Solver
from oa.problem import _array
from oa.streams import made_by, score


@dataclass(slots=True, repr=False)
class LeastSquares:
    """What oa.least_squares found; a row for each query."""

    x: NDArray[Any]
    """The coefficients, (n,m) or (b,n,m); complex if V or the queries are."""
    residual: NDArray[np.float64]
    """The squared distance of x'V from the query."""
    energy: NDArray[np.float64]
    """residual + lambda * sum of x - |q|^2."""
    bound: NDArray[np.float64]
    """Nothing has a lower energy; -inf where nothing is known."""
    proved: NDArray[np.bool_]
    """Whether x is proved optimal, for the numbers in double precision."""
    stopped: NDArray[np.bool_]
    """Whether a limit ended the search."""
    seconds: NDArray[np.float64]
    score: dict[str, Any] | None
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
    The problem is solved in single precision.  What is proved there is proved again in double
    precision, with at most 3 million nodes or `max_nodes`.

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
    files = [_tools.npy_file("V", v), _tools.npy_file("queries", q)]
    problems = made_by(
        "oa-qubo",
        [],
        {
            "values": files[0].path,
            "queries": files[1].path,
            "coefficients": coefficients,
            "levels": levels,
            "lambda_": lambda_,
            "real_coefficients": real_coefficients,
            "encoding": encoding,
            "threads": threads,
            "quiet": True,
        },
    )
    options = {
        "solver": solver,
        "seed": seed,
        "max_nodes": max_nodes,
        "reads": reads,
        "sweeps": sweeps,
        "time_limit": time_limit,
        "threads": threads,
    }
    frames = list(made_by("oa-anneal", [problems.path], options))
    symbols = frames[0].head.metadata["oa.complex"] == "true"
    limits = {"max_nodes": max_nodes, "threads": threads, "seed": seed}
    numbers = [
        Doubles(
            *real_forms(v[k % len(v)] if v.ndim == 3 else v, q[k] if q.ndim == 3 else q, symbols),
            lambda_ or 0.0,
            frame.head,
        )
        for k, frame in enumerate(frames)
    ]
    doubtful = [
        not one.is_exact(frame) and bool((frame["status"] == 0).any())
        for one, frame in zip(numbers, frames)
    ]
    rivals: list[Frame | None] = [None] * len(frames)
    left = None if time_limit is None else time_limit - max(f["seconds"].max() for f in frames)
    if any(doubtful) and (left is None or left > 0.0):
        nodes = MOST_NODES if max_nodes is None else max_nodes
        exact = {"solver": "exact", "top": 2, "time_limit": left, "max_nodes": nodes}
        rivals = list(made_by("oa-anneal", [problems.path], {**exact, "threads": threads}))
    found = [
        _checked(one, frame, rival if again else None, again, limits, time_limit)
        for one, frame, rival, again in zip(numbers, frames, rivals, doubtful)
    ]
    several = v.ndim == 3 or q.ndim == 3

    def all_of(name: str) -> NDArray[Any]:
        arrays = [getattr(one, name) for one in found]
        return np.stack(arrays) if several else arrays[0]

    x = all_of("x")
    real = x
    if symbols:
        m = v.shape[-2]
        x = x[..., :m] + 1j * x[..., m:]
    elif coefficients != "levels":
        x = x.astype(np.int8)
    distance = np.abs(q - x @ v)
    residual = np.sum(distance * distance, axis=-1)
    square = np.abs(q)
    energy = residual + (lambda_ or 0.0) * real.sum(axis=-1) - np.sum(square * square, axis=-1)
    proved = all_of("proved")
    return LeastSquares(
        x,
        residual,
        energy,
        np.where(proved, energy, np.minimum(energy, all_of("bound"))),
        proved,
        all_of("stopped"),
        all_of("seconds"),
        None if truth is None else _compared([one.frame for one in found], truth),
    )


@dataclass(slots=True)
class _Found:
    """A solution in the precision of the stream, and what holds in double precision."""

    frame: Frame
    x: NDArray[np.float64]
    bound: NDArray[np.float64]
    proved: NDArray[np.bool_]
    stopped: NDArray[np.bool_]
    seconds: NDArray[np.float64]


def _checked(
    numbers: Doubles,
    frame: Frame,
    rival: Frame | None,
    doubtful: bool,
    limits: dict[str, Any],
    time_limit: float | None,
) -> _Found:
    """Proves again what the stream proved, where single precision may have changed it.

    `rival` has the two best solutions of each query.
    """
    levels = _oa.level_indices(frame)
    before = levels.copy()
    proved = frame["status"] == 0
    stopped = frame["status"] == 2
    seconds = frame["seconds"].copy()
    if doubtful:
        sure = numbers.unmatched(rival) if rival is not None else np.zeros_like(proved)
        if rival is not None:
            seconds += rival["seconds"]
        for i in np.flatnonzero(proved & ~sure):
            left = None if time_limit is None else time_limit - seconds[i]
            if left is not None and left <= 0.0:
                proved[i], stopped[i] = False, True
                continue
            proof = numbers.prove(int(i), levels[i], {**limits, "time_limit": left})
            levels[i], proved[i], stopped[i] = proof.levels, proof.proved, proof.stopped
            seconds[i] += proof.seconds
    if not (levels == before).all():
        frame = _oa.with_levels(frame, levels)
    return _Found(frame, numbers.values(levels), numbers.bounds(frame), proved, stopped, seconds)


def _compared(solved: Any, truth: ArrayLike) -> dict[str, Any]:
    file = _tools.npy_file("truth", _numbers(truth, "truth"))
    return score(solved, truth=file.path)


def _numbers(values: ArrayLike, what: str) -> NDArray[Any]:
    array = _array(values, what)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"{what}: elements of type {array.dtype} (expected numbers)")
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
