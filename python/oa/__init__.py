"""QUBO and Ising problems, solved with proof where possible; attention as a QUBO.

>>> import numpy as np
>>> import oa
>>> result = oa.solve(np.array([[-1.0, 2.0], [0.0, -1.5]]))
>>> result.x, result.energy, result.proved
(array([0, 1], dtype=int8), -1.5, True)

The options of functions are those of the command-line tools; see oa-python(7).
"""

from importlib import import_module
from typing import TYPE_CHECKING

from oa._oa import version as __version__
from oa.problem import Problem, read, read_all, write
from oa.solving import Result, solve, solvers, stop

if TYPE_CHECKING:
    from oa import cim
    from oa._oa import Frame
    from oa.batch import Batch, solve_batch
    from oa.models import Model, Predictions, load
    from oa.sampling import Marginals, Samples, marginals, sample
    from oa.squares import LeastSquares, least_squares
    from oa.streams import Stream, frame, score, solve_stream, stream, write_stream

__all__ = [
    "Batch",
    "Frame",
    "LeastSquares",
    "Marginals",
    "Model",
    "Predictions",
    "Problem",
    "Result",
    "Samples",
    "Stream",
    "__version__",
    "cim",
    "frame",
    "least_squares",
    "load",
    "marginals",
    "read",
    "read_all",
    "sample",
    "score",
    "solve",
    "solve_batch",
    "solve_stream",
    "solvers",
    "stop",
    "stream",
    "write",
    "write_stream",
]

# Modules that are imported when one of their names is used, so that `import oa` is quick.
_LATER = {
    "_oa": ("Frame",),
    "batch": ("Batch", "solve_batch"),
    "models": ("Model", "Predictions", "load"),
    "sampling": ("Marginals", "Samples", "marginals", "sample"),
    "squares": ("LeastSquares", "least_squares"),
    "streams": ("Stream", "frame", "score", "solve_stream", "stream", "write_stream"),
}


if not TYPE_CHECKING:  # a type checker would believe that every name is there

    def __getattr__(name: str) -> object:
        """Imports what is used for the first time."""
        if name == "cim":
            return import_module("oa.cim")
        for module, names in _LATER.items():
            if name in names:
                value = getattr(import_module(f"oa.{module}"), name)
                globals()[name] = value
                return value
        raise AttributeError(f"module 'oa' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
