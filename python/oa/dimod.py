"""The solvers as a sampler of dimod, D-Wave's library of models."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

try:
    import dimod
except ImportError as error:
    raise ImportError("oa.dimod needs dimod: pip install dimod") from error

from oa import _oa
from oa._types import Constraint, Monomial, Soft, SolveOptions, Solver
from oa.problem import Problem
from oa.solving import Result, X, solve, solvers, states_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Sampler", "from_bqm", "from_cqm", "from_dqm", "from_polynomial", "read_cqm"]

_OPTIONS = tuple(sorted(SolveOptions.__optional_keys__))


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

    Parameters
    ----------
    bqm : dimod.BinaryQuadraticModel
        The model.

    Returns
    -------
    oa.Problem
        The problem; the x of its results are dictionaries.

    Examples
    --------
    >>> import oa
    >>> oa.solve(from_bqm(dimod.BinaryQuadraticModel({"a": -1}, {"ab": 2}, 0, "BINARY"))).x
    {'a': 1, 'b': 0}
    """
    problem, labels = _problem(bqm)
    return problem._with_names(labels)


def read_cqm(path: str | os.PathLike[str]) -> Problem:
    """Reads the constrained model in a file of dimod.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    oa.Problem
        The problem, as :func:`from_cqm` makes it.

    Examples
    --------
    >>> oa.solve(read_cqm("model.cqm"))  # doctest: +SKIP
    """
    with open(path, "rb") as file:
        return from_cqm(dimod.ConstrainedQuadraticModel.from_file(file))


def from_cqm(cqm: dimod.ConstrainedQuadraticModel) -> Problem:
    """A constrained model for oa.solve, whose x are dictionaries then.

    Variables are binary, spins or integers with bounds, which constraints may narrow;
    constraints are linear or quadratic, hard or soft.

    Parameters
    ----------
    cqm : dimod.ConstrainedQuadraticModel
        The model.

    Returns
    -------
    oa.Problem
        The problem; the x of its results are dictionaries.

    Raises
    ------
    ValueError
        If a variable is real, or a number is not finite.

    Examples
    --------
    >>> import oa
    >>> i, b = dimod.Integer("i", upper_bound=9), dimod.Binary("b")
    >>> cqm = dimod.ConstrainedQuadraticModel()
    >>> cqm.set_objective(-2 * i - 3 * b)
    >>> cqm.add_constraint(i * i + 5 * b <= 20, "room")
    'room'
    >>> r = oa.solve(from_cqm(cqm))
    >>> r.x, r.energy, r.feasible, r.proved
    ({'b': 1, 'i': 3}, -9.0, True, True)
    """
    labels = list(cqm.variables)
    places = {label: k for k, label in enumerate(labels)}
    kinds = {label: cqm.vartype(label) for label in labels}
    for label, kind in kinds.items():
        if kind is dimod.REAL:
            raise ValueError(f"variable {label!r}: real (expected binary, spin or integer)")
    hard: list[Constraint] = []
    soft: list[Soft] = []
    for label, comparison in cqm.constraints.items():
        constraint = _constraint(comparison, places, label)
        if not comparison.lhs.is_soft():
            hard.append(constraint)
            continue
        weight = float(comparison.lhs.weight())
        if not 0 <= weight < math.inf:
            raise ValueError(f"constraint {label!r}: the weight {weight} (expected at least 0)")
        soft.append((constraint, weight, str(comparison.lhs.penalty())))
    monomials = _monomials(cqm.objective, places)
    linear = all(len(product) == 1 for _, sum, _, _ in hard for product, _ in sum)
    if set(kinds.values()) == {dimod.SPIN} and linear and not soft:
        core = _oa.of_monomials(len(labels), monomials, hard, True, False)
        return Problem._of_core(core)._with_names(labels)
    names = [str(label) for label in labels]
    if len(set(names)) < len(names):
        names = [repr(label) for label in labels]
    variables = [
        (name, kinds[label].name.lower(), cqm.lower_bound(label), cqm.upper_bound(label))
        for name, label in zip(names, labels)
    ]
    core = _oa.of_program(variables, monomials, hard, soft)
    return Problem._of_core(core)._with_labels(dict(zip(names, labels)))


def _monomials(f: dimod.QuadraticModel, places: Mapping[Hashable, int]) -> list[Monomial]:
    monomials: list[Monomial] = [([], float(f.offset))]
    monomials += [([places[v]], float(f.get_linear(v))) for v in f.variables]
    monomials += [([places[u], places[v]], float(w)) for u, v, w in f.iter_quadratic()]
    return monomials


def _constraint(
    comparison: dimod.sym.Comparison, places: Mapping[Hashable, int], label: Hashable
) -> Constraint:
    left = comparison.lhs
    right = _difference(float(comparison.rhs), float(left.offset), label)
    return (str(label), _monomials(left, places)[1:], comparison.sense.value, right)


def _difference(a: float, b: float, label: Hashable) -> float:
    """a - b of the decimals that Python prints for them, rounded once."""
    if not math.isfinite(a - b):
        raise ValueError(f"constraint {label!r}: a number that is not finite")
    return float(Fraction(repr(a)) - Fraction(repr(b)))


def from_polynomial(polynomial: dimod.BinaryPolynomial) -> Problem:
    """A polynomial for oa.solve, whose x are dictionaries then.

    Parameters
    ----------
    polynomial : dimod.BinaryPolynomial
        The model.

    Returns
    -------
    oa.Problem
        The problem; the x of its results are dictionaries.

    Examples
    --------
    >>> import oa
    >>> oa.solve(from_polynomial(dimod.BinaryPolynomial({"abc": -1, "a": 2}, "SPIN"))).energy
    -3.0
    """
    # The order of a set of texts differs from process to process.
    terms = {tuple(sorted(term, key=repr)): weight for term, weight in polynomial.items()}
    return Problem(terms, vartype="spin" if polynomial.vartype is dimod.SPIN else "binary")


def _polynomial(polynomial: dimod.BinaryPolynomial) -> tuple[Problem, list[Hashable]]:
    problem = from_polynomial(polynomial)
    return Problem._of_core(problem._core), problem.names


def from_dqm(dqm: dimod.DiscreteQuadraticModel) -> Problem:
    """A discrete model for oa.solve: a binary variable ``(v, case)`` for each case of v.

    Parameters
    ----------
    dqm : dimod.DiscreteQuadraticModel
        The model.

    Returns
    -------
    oa.Problem
        The problem; the x of its results are dictionaries.

    Examples
    --------
    >>> import oa
    >>> dqm = dimod.DiscreteQuadraticModel()
    >>> v = dqm.add_variable(3, "v")
    >>> dqm.set_linear("v", [1, -1, 0])
    >>> oa.solve(from_dqm(dqm)).x
    {('v', 0): 0, ('v', 1): 1, ('v', 2): 0}
    """
    labels = [(v, case) for v in dqm.variables for case in range(dqm.num_cases(v))]
    places = {label: place for place, label in enumerate(labels)}
    monomials: list[Monomial] = [([], float(dqm.offset))]
    one_of: list[Constraint] = []
    for v in dqm.variables:
        cases = [places[v, case] for case in range(dqm.num_cases(v))]
        monomials += [([i], float(w)) for i, w in zip(cases, dqm.get_linear(v))]
        one_of.append((str(v), [([i], 1.0) for i in cases], "==", 1.0))
        for u in dqm.adj[v]:
            if places[u, 0] < places[v, 0]:
                monomials += [
                    ([places[u, i], places[v, k]], float(w))
                    for (i, k), w in dqm.get_quadratic(u, v).items()
                ]
    core = _oa.of_monomials(len(labels), monomials, one_of, False, False)
    return Problem._of_core(core)._with_names(list(labels))


_Model: TypeAlias = dimod.BinaryQuadraticModel | dimod.BinaryPolynomial


class _Parameters(SolveOptions, total=False):
    """Options of oa.solve, and keywords of Ocean."""

    num_sweeps: int | None
    num_threads: int | None
    beta_range: Sequence[float] | None
    beta_schedule_type: Literal["geometric", "linear"] | None
    initial_states: object
    initial_states_generator: Literal["none", "tile", "random"] | None


# Keywords of Ocean's samplers, and ours that mean the same.
_EQUAL = {"num_sweeps": "sweeps", "num_threads": "threads"}
_OF_ANNEALING = ("beta_range", "beta_schedule_type")
_OF_STATES = ("initial_states", "initial_states_generator")
_KEYWORDS = ("num_reads", *_EQUAL, *_OF_ANNEALING, *_OF_STATES, *_OPTIONS)
_SCHEDULES = {"geometric": "geometric", "linear": "linear-beta"}  # Ocean's are of 1/T
_GENERATORS = ("none", "tile", "random")
_REFUSED = {
    "beta_schedule": "beta_range",
    "interrupt_function": "trace",
    "num_restarts": "num_reads",
    "num_sweeps_per_beta": "num_sweeps",
    "proposal_acceptance_criteria": "none: that of Metropolis",
    "randomize_order": "none",
    "timeout": "time_limit, in seconds",
}


def _translated(
    options: dict[str, Any], bqm: dimod.BinaryQuadraticModel, num_reads: int | None
) -> dict[str, Any]:
    """Keywords of Ocean as options of oa.solve."""
    given = {name: options.pop(name, None) for name in (*_EQUAL, *_OF_ANNEALING, *_OF_STATES)}
    ours = {_EQUAL[name]: given[name] for name in _EQUAL if given[name] is not None}
    if given["beta_range"] is not None:
        first, last = (float(beta) for beta in given["beta_range"])
        if not 0 < first <= last < math.inf:
            raise ValueError(
                f"beta_range: {given['beta_range']!r} (expected two numbers above 0, rising)"
            )
        ours |= {"hot": 1 / first, "cold": 1 / last}
    if given["beta_schedule_type"] is not None:
        ours["schedule"] = _SCHEDULES[_one_of(_SCHEDULES, given, "beta_schedule_type")]
    if any(given[name] is not None for name in _OF_STATES):
        ours["initial"] = _states(given, bqm, num_reads, options.get("seed"))
    for name in ours:
        if options.get(name) is not None:
            raise ValueError(f"{name}: given twice, once by a keyword of Ocean")
    return options | ours


def _one_of(choices: Collection[str], given: Mapping[str, object], name: str) -> str:
    value = given[name]
    if value not in choices:
        raise ValueError(f"{name}: {value!r} (expected {', '.join(choices)})")
    return str(value)


def _states(
    given: Mapping[str, object],
    bqm: dimod.BinaryQuadraticModel,
    num_reads: int | None,
    seed: int | None,
) -> NDArray[np.float64]:
    """Initial states of either kind of variables as rows; infinity for missing variables."""
    some = given["initial_states"] is not None
    states, labels = dimod.as_samples(given["initial_states"] if some else [])
    places = {label: place for place, label in enumerate(bqm.variables)}
    _check_labels(labels, places, "initial_states")
    low = -1.0 if bqm.vartype is dimod.SPIN else 0.0
    rows = np.full((len(states), len(places)), np.inf)
    rows[:, [places[label] for label in labels]] = np.where(states > 0, 1.0, low)
    name = "initial_states_generator"
    generator = "random" if given[name] is None else _one_of(_GENERATORS, given, name)
    missing = (num_reads or 0) - len(rows)
    if missing > 0 and generator == "none" or len(rows) == 0 and generator == "tile":
        raise ValueError(f"initial_states: {len(rows)} states (expected {num_reads})")
    if missing > 0 and generator == "random":
        random = np.random.default_rng(1 if seed is None else seed)
        more = np.where(random.integers(2, size=(missing, len(places))) > 0, 1.0, low)
        rows = np.concatenate((rows, more))
    return rows[:num_reads]


class _Seconds(float):
    """A time that is equal to all others, so that equal results are."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Seconds) or float(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other


class Sampler(dimod.Sampler, dimod.PolySampler):
    """Solves models of dimod, with proof where possible.

    `info` of a SampleSet has bound, gap, proved_optimal, status, method, solver and seconds,
    with `count_optima` also optima_count; all seconds are equal.

    Parameters
    ----------
    solver : str, optional
        One of `oa.solvers`; "auto" by default.
    executor : concurrent.futures.Executor, optional
        Methods then return at once, so that several models are solved at once.  A SampleSet
        waits for its result when it is read.

    Examples
    --------
    >>> sampler = Sampler()
    >>> found = sampler.sample_ising({}, {("a", "b"): 1.0, ("b", "c"): 1.0})
    >>> float(found.first.energy), found.info["proved_optimal"]
    (-2.0, True)
    """

    def __init__(self, solver: Solver | None = None, executor: Executor | None = None) -> None:
        if solver is not None and solver not in solvers:
            raise ValueError(f"solver: {solver!r} (expected {', '.join(solvers)})")
        self._solver = solver
        self._executor = executor
        self._parameters: dict[str, list[str]] = {name: [] for name in _KEYWORDS}
        self._properties = {"solvers": list(solvers)}

    @property
    def parameters(self) -> dict[str, list[str]]:
        """The keywords of :meth:`sample`."""
        return self._parameters

    @property
    def properties(self) -> dict[str, list[Solver]]:
        """The names of all solvers."""
        return self._properties

    def sample(
        self,
        bqm: dimod.BinaryQuadraticModel,
        num_reads: int | None = None,
        **parameters: Unpack[_Parameters],
    ) -> dimod.SampleSet:
        """Solves a model.

        Parameters
        ----------
        bqm : dimod.BinaryQuadraticModel
            The model.

        num_reads : int, optional
            So many reads of the annealer, each state with its count; without it the best,
            or the `top` best.
        **parameters
            Options of :func:`oa.solve`; `fix` and `initial` are dictionaries of variables
            of the model.  Of Ocean's keywords num_sweeps, num_threads, beta_range,
            beta_schedule_type="geometric" or "linear", initial_states, which may lack
            variables, and initial_states_generator.

        Returns
        -------
        dimod.SampleSet
            The samples, best first.

        Examples
        --------
        >>> model = dimod.BinaryQuadraticModel({"a": -1, "b": 1}, {}, 0.5, "BINARY")
        >>> dict(Sampler().sample(model).first.sample) == {"a": 1, "b": 0}
        True
        """
        return self._sample(bqm, _problem, num_reads, parameters)

    def sample_poly(
        self,
        polynomial: dimod.BinaryPolynomial,
        num_reads: int | None = None,
        **parameters: Unpack[_Parameters],
    ) -> dimod.SampleSet:
        """Solves a polynomial of any degree.

        Parameters
        ----------
        polynomial : dimod.BinaryPolynomial
            The polynomial.

        num_reads : int, optional
            So many reads of the annealer, each state with its count; without it the best,
            or the `top` best.
        **parameters
            Those of :meth:`sample`.

        Returns
        -------
        dimod.SampleSet
            The samples, best first.

        Examples
        --------
        >>> float(Sampler().sample_hubo({"abc": -1.0, "a": 0.5}).first.energy)
        -0.5
        """
        return self._sample(polynomial, _polynomial, num_reads, parameters)

    def _sample(
        self,
        model: _Model,
        posed: Callable[[_Model], tuple[Problem, list[Hashable]]],
        num_reads: int | None,
        parameters: _Parameters,
    ) -> dimod.SampleSet:
        for name in parameters:
            if name in _REFUSED:
                raise ValueError(f"{name}: no option (expected {_REFUSED[name]})")
        options = _translated(self.remove_unknown_kwargs(**parameters), model, num_reads)
        options.setdefault("solver", self._solver)
        annealed = num_reads is not None or any(name in parameters for name in _OF_ANNEALING)
        if annealed and options["solver"] in (None, solvers[0]):
            options["solver"] = "sa"
        if num_reads is not None:
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
        if len(model.variables) == 0:
            return _empty(model, options)
        problem, labels = posed(model)
        places = {label: place for place, label in enumerate(labels)}
        for name in ("fix", "initial"):
            options[name] = _by_place(options.get(name), places, name)
        vartype = model.vartype

        def work() -> dimod.SampleSet:
            found = solve(problem, **options)
            energies, rows, counts = zip(*states_of(found))
            return dimod.SampleSet.from_samples(
                (np.array(rows, dtype=np.int8), labels),
                energy=energies,
                num_occurrences=counts,
                vartype=vartype,
                info=_info(found),
            )

        return self._done(work)

    def _done(self, work: Callable[[], dimod.SampleSet]) -> dimod.SampleSet:
        """What `work` returns, or a promise of it."""
        if self._executor is None:
            return work()
        return dimod.SampleSet.from_future(self._executor.submit(work))

    def sample_cqm(
        self, cqm: dimod.ConstrainedQuadraticModel, **parameters: Unpack[SolveOptions]
    ) -> dimod.SampleSet:
        """Solves a model with constraints; see :func:`from_cqm`.

        Energies have the prices of soft constraints.  `is_feasible` and `is_satisfied` are those of
        dimod, which allows for rounding errors.

        Parameters
        ----------
        cqm : dimod.ConstrainedQuadraticModel
            The model.
        **parameters
            Options of :func:`oa.solve`.

        Returns
        -------
        dimod.SampleSet
            The samples, best first.

        Examples
        --------
        >>> i = dimod.Integer("i", upper_bound=9)
        >>> cqm = dimod.ConstrainedQuadraticModel()
        >>> cqm.set_objective(-i)
        >>> cqm.add_constraint(i <= 4, "few", weight=0.5)
        'few'
        >>> found = Sampler().sample_cqm(cqm)
        >>> int(found.first.sample["i"]), float(found.first.energy), found.info["soft"]
        (9, -6.5, {'few': 2.5})
        """
        options = self._of_constrained(parameters)
        if len(cqm.variables) == 0:
            return dimod.SampleSet.from_samples_cqm([], cqm)
        problem, labels = from_cqm(cqm), list(cqm.variables)

        def work() -> dimod.SampleSet:
            found = solve(problem, **options)
            _, rows, counts = zip(*states_of(found))
            states = np.array([[row[label] for label in labels] for row in rows])
            # A solution that is not feasible may break the bounds, which dimod does not check.
            lower = [cqm.lower_bound(label) for label in labels]
            upper = [cqm.upper_bound(label) for label in labels]
            states = np.clip(states, lower, upper).astype(states.dtype)
            info = _info(found)
            if found.soft is not None:
                info |= {
                    "objective": found.objective, "penalty": found.penalty, "soft": found.soft,
                }  # fmt: skip
            return dimod.SampleSet.from_samples_cqm(
                (states, labels), cqm, num_occurrences=counts, info=info
            )

        return self._done(work)

    def sample_dqm(
        self, dqm: dimod.DiscreteQuadraticModel, **parameters: Unpack[SolveOptions]
    ) -> dimod.SampleSet:
        """Solves a discrete model; see :func:`from_dqm`.

        Parameters
        ----------
        dqm : dimod.DiscreteQuadraticModel
            The model.
        **parameters
            Options of :func:`oa.solve`.

        Returns
        -------
        dimod.SampleSet
            The samples, best first.

        Examples
        --------
        >>> dqm = dimod.DiscreteQuadraticModel()
        >>> dqm.set_linear(dqm.add_variable(3, "v"), [1, -1, 0])
        >>> int(Sampler().sample_dqm(dqm).first.sample["v"])
        1
        """
        options = self._of_constrained(parameters)
        if dqm.num_variables() == 0:
            return dimod.SampleSet.from_samples([], "DISCRETE", energy=[])
        problem, labels = from_dqm(dqm), list(dqm.variables)

        def work() -> dimod.SampleSet:
            found = solve(problem, **options)
            energies, rows, counts = zip(*states_of(found))
            states = [[_case(row, dqm, v) for v in labels] for row in rows]
            return dimod.SampleSet.from_samples(
                (np.array(states), labels), "DISCRETE", energies,
                num_occurrences=counts, info=_info(found),
            )  # fmt: skip

        return self._done(work)

    def _of_constrained(self, parameters: SolveOptions) -> SolveOptions:
        for name in parameters:
            if name not in _OPTIONS or name == "samples":
                raise ValueError(f"{name}: no option for constrained models")
        return {"solver": self._solver, **parameters}


def _case(x: Mapping[Hashable, int], dqm: dimod.DiscreteQuadraticModel, v: Hashable) -> int:
    return next(case for case in range(dqm.num_cases(v)) if x[v, case] == 1)


def _info(found: Result[X]) -> dict[str, object]:
    info: dict[str, object] = {
        "bound": found.bound,
        "gap": found.gap,
        "proved_optimal": found.proved,
        "status": found.status,
        "method": found.method,
        "solver": found.solver,
        "seconds": _Seconds(found.seconds),
    }
    if found.optima_count is not None:
        info["optima_count"] = found.optima_count
    return info


def _by_place(values: object, places: Mapping[Hashable, int], what: str) -> object:
    """Values of variables by their number; files and rows stay as they are."""
    if isinstance(values, list):
        return [_by_place(one, places, what) for one in values]
    if not isinstance(values, Mapping):
        return values
    _check_labels(values, places, what)
    return {places[name]: value for name, value in values.items()}


def _check_labels(labels: Iterable[Hashable], places: Collection[Hashable], what: str) -> None:
    for label in labels:
        if label not in places:
            raise ValueError(f"{what}: {label!r} is no variable of the model")


def _empty(model: _Model, options: Mapping[str, object]) -> dimod.SampleSet:
    """The result of a model without variables: its energy is its constant."""
    polynomial = isinstance(model, dimod.BinaryPolynomial)
    energy = float(model.get((), 0.0) if polynomial else model.offset)
    info = {
        "bound": energy,
        "gap": 0.0,
        "proved_optimal": True,
        "status": "proved optimal",
        "method": "",
        "solver": options["solver"] or solvers[0],
        "seconds": _Seconds(0.0),
    }
    return dimod.SampleSet.from_samples([], energy=[], vartype=model.vartype, info=info)
