"""Least squares in double precision: proofs for the numbers that were given.

The stream that is solved has single precision.  What is proved there is proved again here,
for the function that all given digits define.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oa._oa import Frame
from oa.problem import Problem
from oa.solving import solve

_HALF_ULP = 2.0**-53  # relative rounding error of a double
_HALF_FLOAT_ULP = 2.0**-24
MOST_NODES = 3_000_000
_CLOSE = 16  # solutions that are compared in exact arithmetic


@dataclass(slots=True)
class Proof:
    """The levels of an optimum, if that is proved."""

    levels: NDArray[np.uint8]
    proved: bool
    stopped: bool
    """Whether a limit of the caller ended the search."""
    seconds: float


def real_forms(
    V: NDArray[Any], queries: NDArray[Any], symbols: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same problem in real numbers; `symbols`: coefficients are complex."""
    if not (np.iscomplexobj(V) or np.iscomplexobj(queries)):
        return V, queries
    v = np.concatenate([V.real, V.imag], axis=-1)
    if symbols:
        v = np.concatenate([v, np.concatenate([-V.imag, V.real], axis=-1)], axis=-2)
    return v, np.concatenate([queries.real, queries.imag], axis=-1)


class Doubles:
    """|q - x'v|^2 + lambda |x|_1 for the rows q of `queries`, over the values of a stream.

    Coefficients x = low + step k have levels k, whole numbers of binary digits; if the levels
    are no power of two, of ones before zeros, which a penalty enforces.  Energies here are in
    units of step squared.
    """

    def __init__(
        self, v: NDArray[np.float64], queries: NDArray[np.float64], cost: float, head: Frame
    ) -> None:
        self.v = v
        self.queries = queries
        self.cost = cost
        self.levels = int(head.metadata.get("oa.levels", "2"))
        low, high = (float(head.metadata[f"oa.{name}"]) for name in ("lowest", "highest"))
        self.low = low
        self.per_unit = (self.levels - 1) / (high - low)  # a whole number, or 1/2
        self.binary = self.levels & (self.levels - 1) == 0
        bits = self.levels.bit_length() - 1 if self.binary else self.levels - 1
        self.weights = 2.0 ** np.arange(bits) if self.binary else np.ones(bits)
        self.columns = np.kron(v, self.weights[:, np.newaxis])
        self.couplings = self.columns @ self.columns.T
        self.targets = (queries - low * v.sum(axis=0)) * self.per_unit
        # No sum of the function, or part of one, is larger.
        sizes = np.abs(v).sum(axis=0)
        reach = (np.abs(queries) + abs(low) * sizes) * self.per_unit + (self.levels - 1) * sizes
        linear = cost * self.per_unit * (self.levels - 1) * len(v)
        self.sizes = (reach * reach).sum(axis=-1) + linear

    def values(self, levels: NDArray[Any]) -> NDArray[np.float64]:
        """The coefficients."""
        return self.low + levels / self.per_unit

    def error(self, i: int, penalty: float) -> float:
        """The most that rounding changes the function of query i; 0 for few digits."""
        size = float(self.sizes[i]) + penalty
        numbers = (self.v, self.queries[i], np.array(self.cost))
        if size * 2.0**20 < 2.0**52 and all(
            (256.0 * part == np.rint(256.0 * part)).all() for part in numbers
        ):
            return 0.0
        rows, width = self.columns.shape
        return float(2.0 * (rows + width + 10) * _HALF_ULP * size)

    def problem(self, i: int) -> tuple[Problem, float]:
        """Query i over digits, and the most that rounding changes it."""
        couplings = self.couplings.copy()
        linear = -2.0 * self.columns @ self.targets[i]
        linear += np.tile(self.cost * self.per_unit * self.weights, len(self.v))
        penalty = 0.0
        if not self.binary:
            penalty = 2.0 ** np.ceil(np.log2(2.0 * self.sizes[i] + 1.0))
            later = np.flatnonzero(np.arange(len(linear)) % len(self.weights))
            linear[later] += penalty
            couplings[later, later - 1] -= penalty
        return Problem(couplings, linear), self.error(i, penalty)

    def exact(self, i: int, levels: NDArray[Any]) -> Fraction:
        """The energy of query i in rational numbers."""
        x = [Fraction(self.low) + int(k) / Fraction(self.per_unit) for k in levels]
        total = Fraction(self.cost) * sum(x) if self.cost else Fraction(0)
        for c, q in enumerate(self.queries[i]):
            rest = Fraction(float(q)) - sum(
                one * Fraction(float(w)) for one, w in zip(x, self.v[:, c]) if one
            )
            total += rest * rest
        return total

    def prove(self, i: int, levels: NDArray[np.uint8], limits: dict[str, Any]) -> Proof:
        """Searches for a better solution of query i than `levels`.

        An optimum is proved if all others that rounding may put below it are compared.
        """
        problem, error = self.problem(i)
        seconds = 0.0
        given = {name: value for name, value in limits.items() if value is not None}
        nodes = {"max_nodes": MOST_NODES, **given}
        for top in (2, _CLOSE):
            found = solve(problem, solver="exact", top=top, **nodes)
            seconds += found.seconds
            if not found.proved:
                limited = "max_nodes" in given or "time_limit" in given
                better = min(levels, self._levels_of(found.x), key=lambda k: self.exact(i, k))
                return Proof(better, False, limited and found.status == "stopped", seconds)
            close = [x for energy, x in found.top if energy - found.energy < 2.0 * error]
            all_known = len(found.top) == 2 ** len(problem)
            if len(close) < len(found.top) or all_known:
                rows = [self._levels_of(x) for x in close or [found.x]]
                best = rows[0] if len(rows) == 1 else min(rows, key=lambda k: self.exact(i, k))
                return Proof(best, True, False, seconds)
        return Proof(levels, False, False, seconds)

    def _levels_of(self, digits: NDArray[Any]) -> NDArray[np.uint8]:
        sums: NDArray[np.float64] = digits.reshape(len(self.v), -1) @ self.weights
        return sums.astype(np.uint8)

    def is_exact(self, frame: Frame) -> bool:
        """Whether the problem of a frame has exactly these numbers."""
        scale = 1.0 if self.low == 0.0 else 1.0 / self.per_unit
        v = scale * self.v
        target = self.queries - self.low * self.v.sum(axis=0)
        return bool(
            all(self.error(i, 0.0) == 0.0 for i in range(len(self.queries)))
            and (frame["J"] == 2.0 * v @ v.T).all()
            and (frame["h"].reshape(len(target), -1) == self.cost - 2.0 * target @ v.T).all()
        )

    def rounding(self, frame: Frame) -> NDArray[np.float64]:
        """The most that single precision changes the function of each query of a frame."""
        most = 1.0 if self.low == 0.0 else self.levels - 1.0
        couplings = 0.5 * most * most * np.abs(frame["J"].astype(np.float64)).sum()
        fields = np.abs(frame["h"].astype(np.float64)).reshape(len(self.queries), -1).sum(axis=-1)
        rounded = 1.001 * _HALF_FLOAT_ULP * (couplings + most * fields)
        if self.is_exact(frame):
            rounded = 0.0 * rounded
        errors = [self.error(i, 0.0) for i in range(len(self.queries))]
        change: NDArray[np.float64] = rounded + np.array(errors) / self.per_unit**2
        return change

    def bounds(self, frame: Frame) -> NDArray[np.float64]:
        """The bounds of a frame as bounds of |q - x'v|^2 + lambda |x|_1 - |q|^2."""
        target = self.queries - self.low * self.v.sum(axis=0)
        shift = np.sum(target * target, axis=-1) - np.sum(self.queries**2, axis=-1)
        bounds: NDArray[np.float64] = frame["bound"] + shift - self.rounding(frame)
        return bounds

    def unmatched(self, frame: Frame) -> NDArray[np.bool_]:
        """Where the second best solution of a frame is too far for rounding to change the best."""
        energies = frame["top_energy"].reshape(len(self.queries), -1)
        known = (frame["status"] == 0) & (frame["top_count"].reshape(-1) > 1)
        gaps = energies[:, 1] - energies[:, 0]
        far: NDArray[np.bool_] = known & (gaps > 2.0 * self.rounding(frame))
        return far
