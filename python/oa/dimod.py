"""The solvers as a sampler of dimod, D-Wave's library of models."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

try:
    import dimod
except ImportError as error:
    raise ImportError("oa.dimod needs dimod: pip install 'oa-tools[dimod]'") from error

from oa import _oa
from oa.problem import Problem
from oa.solving import Result, solve

__all__ = ["Sampler", "from_bqm", "from_cqm"]

_OPTIONS = (
    "all_optima",
    "cold",
    "count_optima",
    "fix",
    "hot",
    "initial",
    "max_nodes",
    "no_presolve",
    "reads",
    "samples",
    "schedule",
    "seed",
    "solver",
    "sweeps",
    "target",
    "threads",
    "time_limit",
    "top",
    "trace",
)


def _problem(bqm: dimod.BinaryQuadraticModel) -> tuple[Problem, list[Hashable]]:
    linear, (rows, columns, weights), offset, labels = bqm.to_numpy_vectors(return_labels=True)
    core = _oa.of_terms(
        len(labels),
        np.ascontiguousarray(rows, dtype=np.int32),
        np.ascontiguousarray(columns, dtype=np.int32),
        np.ascontiguousarray(weights, dtype=np.float64),
        np.ascontiguousarray(linear, dtype=np.float64),
        float(offset),
        bqm.vartype is dimod.SPIN,
        False,
    )
    return Problem._of_core(core), list(labels)


def from_bqm(bqm: dimod.BinaryQuadraticModel) -> Problem:
    """The same problem for oa.solve, whose x are dictionaries then.

    >>> import oa
    >>> oa.solve(from_bqm(dimod.BinaryQuadraticModel({"a": -1}, {"ab": 2}, 0, "BINARY"))).x
    {'a': 1, 'b': 0}
    """
    problem, labels = _problem(bqm)
    return problem._with_names(labels)


def from_cqm(cqm: dimod.ConstrainedQuadraticModel) -> Problem:
    """A constrained model for oa.solve, whose x are dictionaries then.

    Variables are binary or spins, all of one kind; constraints are linear and hard.  They are
    kept by the search, or become penalties that are proved to suffice.

    >>> import oa
    >>> a, b, c = dimod.Binaries("abc")
    >>> cqm = dimod.ConstrainedQuadraticModel()
    >>> cqm.set_objective(-2 * a - 3 * b - c)
    >>> cqm.add_constraint(a + b + c == 1, "one")
    'one'
    >>> r = oa.solve(from_cqm(cqm))
    >>> r.x, r.energy, r.feasible, r.proved
    ({'a': 0, 'b': 1, 'c': 0}, -3.0, True, True)
    """
    labels = list(cqm.variables)
    kinds = {cqm.vartype(v) for v in labels}
    if len(kinds) != 1 or not kinds <= {dimod.BINARY, dimod.SPIN}:
        raise ValueError("variables that are not all binary, or all spins")
    bqm = dimod.BinaryQuadraticModel(kinds.pop())
    for v in labels:
        bqm.add_variable(v)
    bqm.add_linear_from(cqm.objective.linear)
    bqm.add_quadratic_from(cqm.objective.iter_quadratic())
    bqm.offset = cqm.objective.offset
    problem, names = _problem(bqm)
    places = {name: k for k, name in enumerate(names)}
    constraints = []
    for label, comparison in cqm.constraints.items():
        left = comparison.lhs
        if left.num_interactions > 0:
            raise ValueError(f"constraint {label!r}: not linear")
        if label in cqm._soft:
            raise ValueError(f"constraint {label!r}: soft")
        constraints.append(
            (
                str(label),
                [places[v] for v in left.variables],
                [float(left.get_linear(v)) for v in left.variables],
                comparison.sense.value,
                float(comparison.rhs) - float(left.offset),
            )
        )
    core = _oa.constrained(problem._core, constraints)
    return Problem._of_core(core)._with_names(names)


class Sampler(dimod.Sampler):
    """Solves binary quadratic models of dimod, with proof where possible.

    The parameters of :meth:`sample` are the options of :func:`oa.solve`; `fix` and `initial`
    are dictionaries of variables of the model.  With `num_reads` it returns so many reads of
    the annealer, each state with its count; else the best, or the `top` best.  `info` has
    bound, gap, proved_optimal, status, method, solver and seconds, with `count_optima` also
    optima_count.

    >>> sampler = Sampler()
    >>> found = sampler.sample_ising({}, {("a", "b"): 1.0, ("b", "c"): 1.0})
    >>> float(found.first.energy), found.info["proved_optimal"]
    (-2.0, True)
    """

    def __init__(self, solver: str | None = None) -> None:
        if solver is not None and solver not in _oa.solvers:
            raise ValueError(f"solver: {solver!r} (expected {', '.join(_oa.solvers)})")
        self._solver = solver
        self._parameters: dict[str, list[str]] = {name: [] for name in ("num_reads", *_OPTIONS)}
        self._properties: dict[str, Any] = {"solvers": list(_oa.solvers)}

    @property
    def parameters(self) -> dict[str, list[str]]:
        """The keywords of :meth:`sample`."""
        return self._parameters

    @property
    def properties(self) -> dict[str, Any]:
        """The names of all solvers."""
        return self._properties

    def sample(
        self, bqm: dimod.BinaryQuadraticModel, num_reads: int | None = None, **parameters: Any
    ) -> dimod.SampleSet:
        """Solves a model.

        >>> model = dimod.BinaryQuadraticModel({"a": -1, "b": 1}, {}, 0.5, "BINARY")
        >>> dict(Sampler().sample(model).first.sample) == {"a": 1, "b": 0}
        True
        """
        options = self.remove_unknown_kwargs(**parameters)
        options.setdefault("solver", self._solver)
        if num_reads is not None:
            if options["solver"] in (None, _oa.solvers[0]):
                options["solver"] = "sa"
            for name in ("reads", "top"):
                if options.get(name) is not None:
                    raise ValueError(f"{name} has no effect with num_reads")
            if options["solver"] != "sa":
                raise ValueError(
                    f"num_reads has no effect with the solver {options['solver']} "
                    "(expected sa, whose reads are independent)"
                )
            options["reads"] = num_reads
            options["samples"] = True
        if bqm.num_variables == 0:
            return _empty(bqm, options)
        problem, labels = _problem(bqm)
        places = {label: place for place, label in enumerate(labels)}
        for name in ("fix", "initial"):
            options[name] = _by_place(options.get(name), places, name)
        found = solve(problem, **options)
        energies, rows, counts = zip(*_rows(found))
        info = {
            "bound": found.bound,
            "gap": found.gap,
            "proved_optimal": found.proved,
            "status": found.status,
            "method": found.method,
            "solver": found.solver,
            "seconds": found.seconds,
        }
        if found.optima_count is not None:
            info["optima_count"] = found.optima_count
        return dimod.SampleSet.from_samples(
            (np.array(rows, dtype=np.int8), labels),
            energy=energies,
            num_occurrences=counts,
            vartype=bqm.vartype,
            info=info,
        )


def _by_place(values: Any, places: Mapping[Hashable, int], what: str) -> Any:
    """Values of variables by their number; files stay as they are."""
    if not isinstance(values, Mapping):
        return values
    for name in values:
        if name not in places:
            raise ValueError(f"{what}: {name!r} is no variable of the model")
    return {places[name]: value for name, value in values.items()}


def _empty(bqm: dimod.BinaryQuadraticModel, options: Mapping[str, Any]) -> dimod.SampleSet:
    """The result of a model without variables: its energy is its constant."""
    energy = float(bqm.offset)
    info = {
        "bound": energy,
        "gap": 0.0,
        "proved_optimal": True,
        "status": "proved optimal",
        "method": "",
        "solver": options["solver"] or _oa.solvers[0],
        "seconds": 0.0,
    }
    return dimod.SampleSet.from_samples([], energy=[], vartype=bqm.vartype, info=info)


def _rows(found: Result) -> list[tuple[float, Any, int]]:
    """Energy, values and count of each state."""
    if found.samples is not None:
        return found.samples
    if found.optima is not None:
        return [(found.energy, x, 1) for x in found.optima]
    return [(energy, x, 1) for energy, x in found.top]
