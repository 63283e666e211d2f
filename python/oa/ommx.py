"""The solvers as an adapter of OMMX, the exchange format of optimisation problems."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

try:
    from ommx.adapter import (
        InfeasibleDetected,
        NoSolutionReturned,
        SamplerAdapter,
        UnboundedDetected,
    )
    from ommx.v1 import Constraint, DecisionVariable, Function, Instance, SampleSet, Solution, State
except ImportError as error:
    raise ImportError("oa.ommx needs OMMX: pip install 'ommx<3'") from error

from oa import _oa
from oa._types import Constraint as Relation
from oa._types import Monomial, Named, SolveOptions
from oa.problem import Problem
from oa.solving import Result, solve, states_of

if TYPE_CHECKING:
    from ommx.v1 import ToState
    from typing_extensions import Unpack

__all__ = ["OMMXOaAdapter", "OMMXOaAdapterError", "from_instance"]

_MOST = (1 << 31) - 1  # of integers without a bound


class OMMXOaAdapterError(Exception):
    """An instance that the solvers do not take."""


def from_instance(instance: Instance) -> Problem:
    """An instance for oa.solve, whose x are dictionaries of the numbers of its variables.

    Variables are binary or integers, which bounds or constraints limit.  The objective and
    the constraints are polynomials.  An instance that is maximised is negated.

    Parameters
    ----------
    instance : ommx.v1.Instance
        The instance; removed constraints do not count.

    Returns
    -------
    oa.Problem
        The problem, minimised.

    Raises
    ------
    OMMXOaAdapterError
        If a variable is not binary or an integer, or a term has no bound.

    Examples
    --------
    >>> import oa
    >>> x, y = DecisionVariable.binary(0), DecisionVariable.integer(5, lower=0, upper=7)
    >>> instance = Instance.from_components(
    ...     decision_variables=[x, y], objective=3 * x + y, constraints=[2 * x + y <= 4],
    ...     sense=Instance.MAXIMIZE)
    >>> oa.solve(from_instance(instance)).x
    {0: 1, 5: 2}
    """
    used = _used(instance)
    variables = []
    for one in used:
        if one.kind not in (DecisionVariable.BINARY, DecisionVariable.INTEGER):
            raise OMMXOaAdapterError(
                f"variable {one.id}: {one.kind} (expected a binary or an integer)"
            )
        variables.append((str(one.id), str(one.kind).lower(), *_range(one)))
    places = {one.id: place for place, one in enumerate(used)}

    def monomials(function: Function, sign: float = 1.0) -> list[Monomial]:
        terms = function.terms.items()
        return [([places[i] for i in product], sign * weight) for product, weight in terms]

    hard: list[Relation] = []
    for one in instance.constraints:
        relation = "==" if one.equality == Constraint.EQUAL_TO_ZERO else "<="
        terms = [term for term in monomials(one.function) if term[0]]
        right = -one.function.terms.get((), 0.0)
        hard.append((one.name or str(one.id), terms, relation, right))
    sign = -1.0 if instance.sense == Instance.MAXIMIZE else 1.0
    try:
        core = _oa.of_program(variables, monomials(instance.objective, sign), hard, [])
    except ValueError as error:
        raise OMMXOaAdapterError(str(error)) from error
    return Problem._of_core(core)._with_labels({str(i): i for i in places})


def _used(instance: Instance) -> list[DecisionVariable]:
    return instance.used_decision_variables or instance.decision_variables


class OMMXOaAdapter(SamplerAdapter):
    """Solves instances of OMMX by :func:`oa.solve`, with proof where possible.

    Parameters
    ----------
    ommx_instance : ommx.v1.Instance
        See :func:`from_instance`.
    initial_state : ommx.v1.State or dict, optional
        Where heuristics start: values by the numbers of variables, the others 0.
    **options
        Those of :func:`oa.solve`: time_limit, solver, seed, top, ...

    Examples
    --------
    >>> x = [DecisionVariable.binary(i) for i in range(3)]
    >>> instance = Instance.from_components(
    ...     decision_variables=x, objective=x[0] - 2 * x[1] * x[2],
    ...     constraints=[x[0] + x[1] + x[2] == 2], sense=Instance.MINIMIZE)
    >>> solution = OMMXOaAdapter.solve(instance)
    >>> solution.objective, solution.feasible, solution.optimality == Solution.OPTIMAL
    (-2.0, True, True)
    """

    def __init__(
        self,
        ommx_instance: Instance,
        *,
        initial_state: ToState | None = None,
        **options: Unpack[SolveOptions],
    ) -> None:
        self.instance = ommx_instance
        self._options = options
        self._problem = None
        if ommx_instance.decision_variables:
            self._problem = from_instance(ommx_instance)
            if initial_state is not None:
                used = {one.id for one in _used(ommx_instance)}
                given = State(initial_state).entries
                options["initial"] = {i: given[i] for i in given if i in used}

    @classmethod
    def solve(
        cls,
        ommx_instance: Instance,
        *,
        initial_state: ToState | None = None,
        **options: Unpack[SolveOptions],
    ) -> Solution:
        """Returns the best solution; its optimality says whether it is proved.

        Parameters
        ----------
        ommx_instance : ommx.v1.Instance
            See :func:`from_instance`.
        initial_state : ommx.v1.State or dict, optional
            Where heuristics start.
        **options
            Those of :func:`oa.solve`.

        Returns
        -------
        ommx.v1.Solution

        Raises
        ------
        ommx.adapter.InfeasibleDetected
            If no solution satisfies the constraints.
        ommx.adapter.UnboundedDetected
            If an integer without a bound is as large as it may get.
        ommx.adapter.NoSolutionReturned
            If no solution was found that satisfies the constraints.
        """
        adapter = cls(ommx_instance, initial_state=initial_state, **options)
        return adapter.decode(adapter._found())

    @classmethod
    def sample(
        cls,
        ommx_instance: Instance,
        *,
        initial_state: ToState | None = None,
        **options: Unpack[SolveOptions],
    ) -> SampleSet:
        """Returns the best solutions: with `top`, `all_optima` or `samples` several.

        Parameters
        ----------
        ommx_instance : ommx.v1.Instance
            See :func:`from_instance`.
        initial_state : ommx.v1.State or dict, optional
            Where heuristics start.
        **options
            Those of :func:`oa.solve`.

        Returns
        -------
        ommx.v1.SampleSet
        """
        adapter = cls(ommx_instance, initial_state=initial_state, **options)
        return adapter.decode_to_sampleset(adapter._found())

    @property
    def solver_input(self) -> Problem | None:
        """The problem for :func:`oa.solve`; None without variables."""
        return self._problem

    @property
    def sampler_input(self) -> Problem | None:
        """The same."""
        return self._problem

    def _found(self) -> Result[Named] | None:
        return None if self._problem is None else solve(self._problem, **self._options)

    def decode(self, data: Result[Named] | None) -> Solution:
        """Makes a solution of the instance.

        Parameters
        ----------
        data : oa.Result or None
            A result of :func:`oa.solve` for `solver_input`; None without variables.

        Returns
        -------
        ommx.v1.Solution
            The solution, as :meth:`solve` returns it.
        """
        _check_result(data)
        solution = self.instance.evaluate({} if data is None else _state(self.instance, data.x))
        if data is not None:
            status, feasible = data.status, data.feasible
        else:
            feasible = solution.feasible
            status = "proved optimal" if feasible else "infeasible"
        if status == "infeasible":
            raise InfeasibleDetected("no solution satisfies the constraints")
        if feasible is False:
            raise NoSolutionReturned(f"No solution was returned [status: {status}]")
        if status == "proved optimal":
            solution.raw.optimality = Solution.OPTIMAL
        return solution

    def decode_to_sampleset(self, data: Result[Named] | None) -> SampleSet:
        """Makes samples of all states of a result.

        Parameters
        ----------
        data : oa.Result or None
            A result of :func:`oa.solve` for `solver_input`; None without variables.

        Returns
        -------
        ommx.v1.SampleSet
            The samples.
        """
        _check_result(data)
        if data is None:
            return self.instance.evaluate_samples({0: {}})
        rows = [x for _, x, count in states_of(data) for _ in range(count)]
        return self.instance.evaluate_samples(
            {k: _state(self.instance, x) for k, x in enumerate(rows)}
        )


def _check_result(data: object) -> None:
    if not (data is None or isinstance(data, Result)):
        raise OMMXOaAdapterError(
            f"data: {type(data).__name__} (expected what oa.solve returns for solver_input)"
        )


def _range(one: DecisionVariable) -> tuple[int, int]:
    """Returns the values searched: an integer without a bound gets one."""
    low, high = one.bound.lower, one.bound.upper
    if math.isinf(low):
        low = -_MOST if math.isinf(high) else high - _MOST
    if math.isinf(high):
        high = low + (2 * _MOST if low == -_MOST else _MOST)
    return math.ceil(low), math.floor(high)


def _state(instance: Instance, x: Named) -> State:
    for one in _used(instance):
        low, high = _range(one)
        value = x.get(one.id, 0)
        ends = ((value <= low, one.bound.lower), (value >= high, one.bound.upper))
        if any(reached and math.isinf(bound) for reached, bound in ends):
            raise UnboundedDetected(f"variable {one.id}: {value} (expected bounds)")
    return State({place: float(value) for place, value in x.items()})
