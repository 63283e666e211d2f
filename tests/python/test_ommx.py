"""oa.ommx, on the instances of OMMX's own tests of its adapters."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ommx")

from ommx.adapter import (  # noqa: E402
    InfeasibleDetected,
    NoSolutionReturned,
    SamplerAdapter,
    UnboundedDetected,
)
from ommx.testing import DataType, SingleFeasibleLPGenerator  # noqa: E402
from ommx.v1 import (  # noqa: E402
    Constraint,
    DecisionVariable,
    Function,
    Instance,
    Linear,
    Quadratic,
    Solution,
    State,
)

import oa  # noqa: E402
from conftest import rounds  # noqa: E402
from oa.ommx import OMMXOaAdapter, OMMXOaAdapterError, from_instance  # noqa: E402


def instance_of(
    variables: list[Any], objective: Any, constraints: Any = (), sense: Any = Instance.MINIMIZE
) -> Instance:
    return Instance.from_components(
        decision_variables=variables, objective=objective, constraints=constraints, sense=sense
    )


def binaries(n: int) -> list[Any]:
    return [DecisionVariable.binary(i, name="x", subscripts=[i]) for i in range(n)]


def values(solution: Solution) -> list[float]:
    return [variable.value for variable in solution.decision_variables]


def test_steps_of_an_adapter() -> None:
    x = DecisionVariable.integer(1, lower=0, upper=5)
    y = DecisionVariable.integer(4, lower=-3, upper=5)
    instance = instance_of([x, y], x + y, sense=Instance.MAXIMIZE)
    adapter = OMMXOaAdapter(instance)
    assert isinstance(adapter, SamplerAdapter)
    solution = adapter.decode(oa.solve(adapter.solver_input))
    assert solution.optimality == Solution.OPTIMAL and solution.objective == 10
    assert OMMXOaAdapter.solve(instance).state.entries == {1: 5.0, 4: 5.0}
    assert oa.solve(instance).x == {1: 5, 4: 5}
    assert oa.Problem(instance).energy({1: 2, 4: -3}) == 1  # negated


def test_binary() -> None:
    x = binaries(2)
    assert values(OMMXOaAdapter.solve(instance_of(x, -x[0] + x[1]))) == [1, 0]
    maximised = instance_of(x, -x[0] + x[1], sense=Instance.MAXIMIZE)
    assert values(OMMXOaAdapter.solve(maximised)) == [0, 1]


def test_integers() -> None:
    x = [DecisionVariable.integer(i, lower=0, upper=10) for i in range(2)]
    rows = [3 * x[0] - x[1] <= 6, -x[0] + 3 * x[1] <= 6]
    assert values(OMMXOaAdapter.solve(instance_of(x, -x[0] - x[1], rows))) == [3, 3]
    constant = Constraint(function=-1, equality=Constraint.LESS_THAN_OR_EQUAL_TO_ZERO)
    assert values(OMMXOaAdapter.solve(instance_of(x, -x[0] - x[1], [*rows, constant]))) == [3, 3]
    assert sum(values(OMMXOaAdapter.solve(instance_of(x, 0, [x[0] + x[1] == 5])))) == 5
    squares = Quadratic(rows=[0, 1], columns=[0, 1], values=[1, 1])
    assert values(OMMXOaAdapter.solve(instance_of(x, squares, [x[0] + x[1] == 4]))) == [2, 2]
    disc = Constraint(
        function=Quadratic(
            rows=[0, 1], columns=[0, 1], values=[1, 1], linear=Linear(terms={}, constant=-100)
        ),
        equality=Constraint.LESS_THAN_OR_EQUAL_TO_ZERO,
    )
    solution = OMMXOaAdapter.solve(instance_of(x, -x[0] - x[1], [disc]))
    assert solution.objective == -14 and solution.feasible


def test_knapsack() -> None:
    profits, weights = [10, 13, 18, 31, 7, 15], [11, 15, 20, 35, 10, 33]
    x = binaries(6)
    instance = instance_of(
        x, sum(p * v for p, v in zip(profits, x)),
        [sum(w * v for w, v in zip(weights, x)) <= 47], Instance.MAXIMIZE,
    )  # fmt: skip
    solution = OMMXOaAdapter.solve(instance)
    assert values(solution) == [1, 0, 0, 1, 0, 0] and solution.objective == 41
    assert solution.optimality == Solution.OPTIMAL
    samples = OMMXOaAdapter.sample(instance, top=3)
    assert samples.best_feasible.objective == 41 and len(samples.sample_ids) == 3
    drawn = OMMXOaAdapter.sample(instance_of(x, sum(x)), solver="sa", reads=5, samples=True)
    assert len(drawn.sample_ids) == 5


def test_values_that_are_given_and_constraints_that_are_removed() -> None:
    x = binaries(3)
    instance = instance_of(x, x[0] + x[1] + x[2], [x[0] + x[1] + x[2] <= 1])
    for k in range(3):
        partial = instance.partial_evaluate({k: 1})
        assert values(OMMXOaAdapter.solve(partial)) == [float(i == k) for i in range(3)]
    rows = [(x[0] + 2 * x[1] <= 1).set_id(0), (x[1] + x[2] <= 1).set_id(1)]
    relaxed = instance_of(x, x[0] + x[1], rows)
    relaxed.relax_constraint(1, "relax")
    assert values(OMMXOaAdapter.solve(relaxed)) == [0, 0, 0]


def test_instances_without_variables() -> None:
    assert OMMXOaAdapter.solve(Instance.empty()).objective == 0
    assert OMMXOaAdapter.sample(Instance.empty()).best_feasible.objective == 0
    assert OMMXOaAdapter.solve(instance_of(binaries(2), 7)).objective == 7
    assert OMMXOaAdapter.solve(Instance.empty()).optimality == Solution.OPTIMAL
    violated = Constraint(function=1, equality=Constraint.LESS_THAN_OR_EQUAL_TO_ZERO)
    with pytest.raises(InfeasibleDetected):
        OMMXOaAdapter.solve(instance_of([], 0, [violated]))
    assert not OMMXOaAdapter.sample(instance_of([], 0, [violated])).feasible[0]


@pytest.mark.parametrize("of", [dict, State])
def test_initial_states(monkeypatch: pytest.MonkeyPatch, of: Callable[[Any], Any]) -> None:
    x = [DecisionVariable.integer(i, lower=0, upper=5) for i in (31, 107, 4)]
    instance = instance_of(x, x[0] + x[1], [x[0] + x[1] <= 5], Instance.MAXIMIZE)
    seen = []

    def solve(problem: oa.Problem, **options: Any) -> Any:
        seen.append(options["initial"])
        return oa.solve(problem, **options)

    monkeypatch.setattr("oa.ommx.solve", solve)
    start = {31: 2.0, 107: 3.0, 4: 1.0}  # the objective and the rows lack the variable 4
    assert OMMXOaAdapter.solve(instance, initial_state=of(start)).objective == 5
    found = OMMXOaAdapter.sample(instance, solver="sa", initial_state=of({107: 5.0}))
    assert found.best_feasible.objective == 5
    assert seen == [{31: 2, 107: 3}, {107: 5}]


@pytest.mark.filterwarnings("ignore:no solution")
def test_errors() -> None:
    x = DecisionVariable.integer(0, lower=0, upper=3)
    with pytest.raises(InfeasibleDetected):
        OMMXOaAdapter.solve(instance_of([x], x, [x >= 4], Instance.MAXIMIZE))
    data = oa.solve(from_instance(instance_of([x], x)))
    data.feasible, data.status = False, "no feasible solution found"
    with pytest.raises(NoSolutionReturned, match="status: no feasible"):
        OMMXOaAdapter(instance_of([x], x)).decode(data)
    real = DecisionVariable.continuous(3, lower=0, upper=5)
    with pytest.raises(OMMXOaAdapterError, match="variable 3: Continuous"):
        OMMXOaAdapter(instance_of([x, real], x + real))
    y = DecisionVariable.integer(5, lower=0)
    assert OMMXOaAdapter.solve(instance_of([y], y)).objective == 0
    assert OMMXOaAdapter.solve(instance_of([y], y, [3 * y <= 8], Instance.MAXIMIZE)).objective == 2
    with pytest.raises(UnboundedDetected, match="variable 5"):
        OMMXOaAdapter.solve(instance_of([y], y, sense=Instance.MAXIMIZE))
    with pytest.raises(UnboundedDetected, match="variable 5"):
        OMMXOaAdapter.sample(instance_of([y], y, sense=Instance.MAXIMIZE))
    free = DecisionVariable.integer(6)
    assert OMMXOaAdapter.solve(instance_of([free], free * free - 6 * free)).objective == -9
    free = DecisionVariable.integer(6, lower=-(2**53), upper=2**53)
    with pytest.raises(OMMXOaAdapterError, match="variable '6' has values from -"):
        OMMXOaAdapter(instance_of([free], free * free * free))
    adapter = OMMXOaAdapter(instance_of([x], x))
    for decode in (adapter.decode, adapter.decode_to_sampleset):
        with pytest.raises(OMMXOaAdapterError, match="data: Problem"):
            decode(adapter.solver_input)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="nonsense"):
        OMMXOaAdapter.solve(instance_of([x], x), nonsense=1)


def test_linear_systems_of_ommx() -> None:
    """Their generator: A x = b for whole numbers has one solution."""
    np.random.seed(3)
    generator = SingleFeasibleLPGenerator(3, DataType.INT)
    linear = generator.get_v1_instance()
    variables = [
        DecisionVariable.integer(v.id, lower=-100, upper=100) for v in linear.decision_variables
    ]
    instance = instance_of(variables, linear.objective, linear.constraints)
    assert OMMXOaAdapter.solve(instance).state.entries == generator.get_v1_state().entries


@pytest.mark.filterwarnings("ignore:no solution")
def test_polynomials_beside_enumeration(rng: np.random.Generator) -> None:
    for _ in range(rounds(20, 200)):
        x = [*binaries(3), DecisionVariable.integer(9, lower=-1, upper=2)]

        def form(x: list[Any] = x) -> Any:
            total = Function(float(rng.integers(-3, 4)))
            for _ in range(4):
                term = float(rng.integers(-5, 6))
                for k in rng.choice(4, int(rng.integers(1, 4))):
                    term = term * x[k]
                total = total + term
            return total

        equality = Constraint.LESS_THAN_OR_EQUAL_TO_ZERO
        row = Constraint(function=form(), equality=equality)
        sense = Instance.MAXIMIZE if rng.random() < 0.5 else Instance.MINIMIZE
        instance = instance_of(x, form(), [row], sense)
        states = [
            {0: a, 1: b, 2: c, 9: i}
            for a, b, c, i in itertools.product((0, 1), (0, 1), (0, 1), range(-1, 3))
        ]
        all = [instance.evaluate(state) for state in states]
        feasible = [one.objective for one in all if one.feasible]
        if not feasible:
            with pytest.raises(InfeasibleDetected):
                OMMXOaAdapter.solve(instance)
            continue
        solution = OMMXOaAdapter.solve(instance)
        best = max(feasible) if sense == Instance.MAXIMIZE else min(feasible)
        assert solution.objective == pytest.approx(best) and solution.feasible
        assert solution.optimality == Solution.OPTIMAL
