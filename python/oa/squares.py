"""oa.least_squares: coefficients of few values, from arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oa import _oa, _tools
from oa.streams import made_by, score


@dataclass(slots=True, repr=False)
class LeastSquares:
    """What oa.least_squares found; a row for each query."""

    x: NDArray[Any]
    """The coefficients, (n,m) or (b,n,m); complex if V or the queries are."""
    residual: NDArray[np.float64]
    """The squared distance of x'V from the query."""
    energy: NDArray[np.float64]
    """The energy of the problem, oa-stream(5), which lacks the square of the query."""
    bound: NDArray[np.float64]
    """Nothing has a lower energy; -inf where nothing is known."""
    proved: NDArray[np.bool_]
    """Whether x is proved optimal."""
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
    coefficients: str = "binary",
    levels: int | None = None,
    lambda_: float | None = None,
    real_coefficients: bool = False,
    encoding: str | None = None,
    truth: ArrayLike | None = None,
    solver: str | None = None,
    seed: int | None = None,
    max_nodes: int | None = None,
    reads: int | None = None,
    sweeps: int | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
) -> LeastSquares:
    """Minimises \\|q - x'V\\|² + lambda * sum of x for each query q.

    `V` is (m,d) or (b,m,d), `queries` is (n,d) or (b,n,d), of real or complex numbers.
    x has m coefficients, as `coefficients` says: "binary" (0 and 1), "levels" (`levels` equal
    steps from 0 to 1) or "spin" (-1 and 1; with `levels` the odd numbers around 0).  Complex
    numbers have complex coefficients unless these are binary or `real_coefficients` is true.
    With `truth`, an array of the shape of x, `score` counts errors by problem, coefficient and
    bit.  The options are those of oa-qubo(1) and oa-anneal(1), which have the same answers.

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
    solved = made_by(
        "oa-anneal",
        [problems.path],
        {
            "solver": solver,
            "seed": seed,
            "max_nodes": max_nodes,
            "reads": reads,
            "sweeps": sweeps,
            "time_limit": time_limit,
            "threads": threads,
        },
    )
    frames = list(solved)
    several = v.ndim == 3 or q.ndim == 3

    def all_of(arrays: list[NDArray[Any]]) -> NDArray[Any]:
        return np.stack(arrays) if several else arrays[0]

    x = all_of([_oa.coefficients(frame) for frame in frames])
    if frames[0].head.metadata.get("oa.complex") == "true":
        m = v.shape[-2]
        x = x[..., :m] + 1j * x[..., m:]
    elif coefficients != "levels":
        x = x.astype(np.int8)
    status = all_of([frame["status"] for frame in frames])
    distance = np.abs(q - x @ v)
    return LeastSquares(
        x,
        np.sum(distance * distance, axis=-1),
        all_of([frame["energy"] for frame in frames]),
        all_of([frame["bound"] for frame in frames]),
        status == 0,
        status == 2,
        all_of([frame["seconds"] for frame in frames]),
        None if truth is None else _compared(solved, truth),
    )


def _compared(solved: Any, truth: ArrayLike) -> dict[str, Any]:
    file = _tools.npy_file("truth", _numbers(truth, "truth"))
    return score(solved, truth=file.path)


def _numbers(values: ArrayLike, what: str) -> NDArray[Any]:
    array = np.asarray(values)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"{what}: elements of type {array.dtype} (expected numbers)")
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
