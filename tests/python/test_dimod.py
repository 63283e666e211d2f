"""dimod's own tests of samplers, on every solver of ours."""

from __future__ import annotations

import copy
import pathlib
import pickle
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import dimod
import dimod.lp
import dimod.testing
import numpy as np
import pytest

import oa
import oa.dimod
from conftest import anneal, rounds


def case_of(solver: str) -> type[unittest.TestCase]:
    return type(  # type: ignore[no-any-return]
        f"Test_{solver.replace('-', '_')}",
        (unittest.TestCase,),
        {"__module__": __name__},
    )


for _solver in oa.solvers:
    _case = case_of(_solver)
    globals()[_case.__name__] = dimod.testing.load_sampler_bqm_tests(
        lambda solver=_solver: oa.dimod.Sampler(solver)
    )(_case)
del _case


@pytest.mark.parametrize("solver", oa.solvers)
def test_api(solver: str) -> None:
    dimod.testing.assert_sampler_api(oa.dimod.Sampler(solver))


def model(rng: np.random.Generator, n: int, vartype: str) -> dimod.BinaryQuadraticModel:
    bqm = dimod.BinaryQuadraticModel(vartype)
    for i in range(n):
        bqm.add_linear(f"v{i}", float(rng.normal()))
        for k in range(i):
            bqm.add_quadratic(f"v{k}", f"v{i}", float(rng.normal()))
    bqm.offset = 0.25
    return bqm


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_the_exact_solver_of_dimod_says_the_same(rng: np.random.Generator, vartype: str) -> None:
    for _ in range(rounds(10, 100)):
        bqm = model(rng, int(rng.integers(1, 9)), vartype)
        ours = oa.dimod.Sampler().sample(bqm)
        theirs = dimod.ExactSolver().sample(bqm)
        dimod.testing.assert_sampleset_energies(ours, bqm)
        assert ours.first.energy == pytest.approx(theirs.first.energy)
        assert ours.info["proved_optimal"] and ours.info["gap"] == 0.0
        several = oa.dimod.Sampler("exact").sample(bqm, top=4)
        assert several.record.energy == pytest.approx(theirs.record.energy[:0].tolist() or
            sorted(theirs.record.energy)[: len(several)])  # fmt: skip


def test_reads(rng: np.random.Generator) -> None:
    bqm = model(rng, 12, "SPIN")
    found = oa.dimod.Sampler().sample(bqm, num_reads=50, sweeps=3)
    assert found.record.num_occurrences.sum() == 50
    assert len(found) > 1
    dimod.testing.assert_sampleset_energies(found, bqm)


def test_reads_refuse_what_they_would_ignore() -> None:
    bqm = dimod.BinaryQuadraticModel({"a": -1, "b": 1}, {"ab": 0.5}, 0, "BINARY")
    for options in ({"solver": "tabu"}, {"solver": "exact"}, {"top": 2}, {"reads": 3}):
        with pytest.raises(ValueError, match="has no effect"):
            oa.dimod.Sampler().sample(bqm, num_reads=10, **options)


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_values_that_are_given(rng: np.random.Generator, vartype: str) -> None:
    for _ in range(rounds(10, 100)):
        bqm = model(rng, 6, vartype)
        values = {
            f"v{i}": int(rng.choice([-1, 1] if vartype == "SPIN" else [0, 1])) for i in (1, 4)
        }
        found = oa.dimod.Sampler().sample(bqm, fix=values, count_optima=True)
        fixed = bqm.copy()
        fixed.fix_variables(values)
        assert found.info["proved_optimal"] and found.info["optima_count"] == 1
        assert all(found.first.sample[name] == value for name, value in values.items())
        assert found.first.energy == pytest.approx(dimod.ExactSolver().sample(fixed).first.energy)
        start = dict(found.first.sample)
        again = oa.dimod.Sampler("greedy").sample(bqm, initial=start, fix=values)
        assert again.first.energy == pytest.approx(found.first.energy)
        with pytest.raises(ValueError, match="'z' is no variable"):
            oa.dimod.Sampler().sample(bqm, fix={"z": 1})


def test_unknown_parameters_warn() -> None:
    with pytest.warns(dimod.exceptions.SamplerUnknownArgWarning):
        oa.dimod.Sampler().sample_ising({"a": 1}, {}, nonsense=3)


@pytest.mark.parametrize(
    ("ocean", "ours"),
    [
        ({"num_sweeps": 20, "num_threads": 1}, {"sweeps": 20, "threads": 1}),
        ({"num_reads": 9, "beta_range": [0.25, 4]}, {"num_reads": 9, "hot": 4.0, "cold": 0.25}),
        ({"beta_range": (0.5, 2.0)}, {"solver": "sa", "hot": 2.0, "cold": 0.5}),
        ({"beta_schedule_type": "geometric"}, {"solver": "sa", "schedule": "geometric"}),
        ({"beta_schedule_type": "linear"}, {"solver": "sa", "schedule": "linear-beta"}),
    ],
)
def test_keywords_of_ocean(
    rng: np.random.Generator, ocean: dict[str, Any], ours: dict[str, Any]
) -> None:
    bqm = model(rng, 12, "SPIN")
    sampler = oa.dimod.Sampler()
    assert ocean.keys() <= sampler.parameters.keys()
    assert sampler.sample(bqm, **ocean) == sampler.sample(bqm, **ours)


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_initial_states(rng: np.random.Generator, vartype: str) -> None:
    bqm = model(rng, 12, vartype)
    sampler = oa.dimod.Sampler("greedy")
    best = oa.dimod.Sampler().sample(bqm)
    spins = {name: 2 * int(value > 0) - 1 for name, value in best.first.sample.items()}
    order = sorted(spins, reverse=True)
    for states in (best, best.first.sample, spins, ([[spins[v] for v in order]], order)):
        assert sampler.sample(bqm, initial_states=states).first.energy == best.first.energy
        none = dict.fromkeys(spins, -1)
        assert sampler.sample(bqm, initial_states=[none, spins]).first.energy == best.first.energy
    with pytest.raises(ValueError, match="'z' is no variable"):
        sampler.sample(bqm, initial_states={"z": 1})


def ends(**options: Any) -> list[tuple[int, ...]]:
    """Where cold reads of 64 pairs of equal spins end: where they began."""
    bqm = dimod.BinaryQuadraticModel({}, {(2 * i, 2 * i + 1): -1 for i in range(64)}, 0, "SPIN")
    found = oa.dimod.Sampler().sample(bqm, beta_range=(1e3, 1e3), num_sweeps=2, **options)
    rows = found.record.sample[:, np.argsort(list(found.variables))]
    return sorted(
        tuple(row) for row, count in zip(rows, found.record.num_occurrences) for _ in range(count)
    )


def test_reads_begin_at_initial_states() -> None:
    low, high = (-1,) * 128, (1,) * 128
    states = (np.array([low, high]), range(128))
    assert ends(num_reads=2, initial_states=states) == [low, high]
    assert ends(num_reads=1, initial_states=states) == [low]
    tile = {"num_reads": 5, "initial_states_generator": "tile"}
    assert ends(initial_states=states, **tile) == [low] * 3 + [high] * 2
    partial = {i: 1 for i in range(64)}
    assert ends(initial_states=partial, **tile) == [(1,) * 64 + (-1,) * 64] * 5
    found = ends(num_reads=5, initial_states=states, seed=3)
    assert low in found and high in found and len(set(found)) == 5
    assert found == ends(num_reads=5, initial_states=states, seed=3)
    assert len(set(ends(num_reads=5, initial_states_generator="random"))) == 5


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"beta_schedule_type": "custom"}, "expected geometric, linear"),
        ({"beta_range": [2, 1]}, "rising"),
        ({"beta_range": [0, 1]}, "above 0"),
        ({"num_sweeps": 3, "sweeps": 4}, "sweeps: given twice"),
        ({"beta_range": [1, 2], "solver": "tabu"}, "has no effect with the solver tabu"),
        ({"initial_states_generator": "many"}, "expected none, tile, random"),
        ({"initial_states_generator": "tile", "num_reads": 2}, "0 states"),
        (
            {"initial_states": {"a": 1}, "initial_states_generator": "none", "num_reads": 2},
            "1 states .expected 2",
        ),
        ({"timeout": 100}, "expected time_limit, in seconds"),
    ],
)
def test_keywords_of_ocean_without_an_equal(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        oa.dimod.Sampler().sample_ising({"a": 1}, {}, **options)


def test_equal_results_are_equal(rng: np.random.Generator) -> None:
    bqm = model(rng, 10, "BINARY")
    found, again = (oa.dimod.Sampler().sample(bqm, num_reads=20, seed=3) for _ in range(2))
    assert found == again == copy.deepcopy(found) == pickle.loads(pickle.dumps(again))
    assert found.info["seconds"] >= 0.0 and found.info["seconds"] != -1.0
    assert found != oa.dimod.Sampler("greedy").sample(bqm)
    serial = dimod.SampleSet.from_serializable(found.to_serializable())
    assert (serial.record == found.record).all()


def test_models_are_problems(rng: np.random.Generator) -> None:
    bqm = model(rng, 6, "SPIN")
    best = dimod.ExactSolver().sample(bqm).first
    for found in (oa.solve(bqm), oa.solve(oa.Problem(bqm)), oa.solve(oa.dimod.from_bqm(bqm))):
        assert found.x == best.sample and found.energy == pytest.approx(best.energy)
    narrow = dimod.BinaryQuadraticModel(bqm, dtype=np.float32)
    assert oa.solve(narrow).energy == pytest.approx(best.energy, rel=1e-5)
    with pytest.raises(ValueError, match="belong to the problem"):
        oa.solve(bqm, vartype="spin")
    a, b = dimod.Binaries("ab")
    cqm = dimod.ConstrainedQuadraticModel.from_bqm(-2 * a - 3 * b)
    cqm.add_constraint(a + b <= 1)
    assert oa.solve(cqm).x == {"a": 0, "b": 1}
    polynomial = dimod.BinaryPolynomial({"abc": 2, "ab": -1, "c": 1, "": 4}, "SPIN")
    best = dimod.ExactPolySolver().sample_poly(polynomial).first
    found = oa.solve(polynomial)
    assert found.energy == best.energy and polynomial.energy(found.x) == best.energy


def test_constants_of_constraints() -> None:
    x = dimod.Binary("x")
    cqm = dimod.ConstrainedQuadraticModel.from_bqm(x - 1)
    cqm.add_constraint(0.7 + 0.1 * x == 0.8)
    found = oa.solve(cqm)
    assert found.feasible and found.proved and found.x == {"x": 1}


def test_other_forms() -> None:
    sampler = oa.dimod.Sampler()
    assert sampler.sample_qubo({(0, 0): -1, (0, 1): 2}).first.sample == {0: 1, 1: 0}
    assert sampler.sample_ising({"a": 1}, {}).first.sample == {"a": -1}
    found = sampler.sample(dimod.BinaryQuadraticModel({}, {}, 1.5, "SPIN"))
    assert len(found) == 0 and found.info["proved_optimal"] and found.info["bound"] == 1.5
    with pytest.raises(ValueError, match="solver"):
        oa.dimod.Sampler("magic")


def variable(rng: np.random.Generator, k: int, kind: str) -> dimod.QuadraticModel:
    if kind == "BINARY":
        return dimod.Binary(f"v{k}")
    if kind == "SPIN":
        return dimod.Spin(f"v{k}")
    low = int(rng.integers(-3, 3))
    return dimod.Integer(f"v{k}", lower_bound=low, upper_bound=low + int(rng.integers(0, 6)))


def constrained_model(
    rng: np.random.Generator,
    kinds: tuple[str, ...] = ("BINARY", "SPIN", "INTEGER"),
    soft: float = 0.5,
) -> dimod.ConstrainedQuadraticModel:
    """Variables of all kinds; constraints that are quadratic or soft, some of them."""
    if len(kinds) == 3 and rng.random() < 0.7:
        kinds = kinds[(first := int(rng.integers(3))) : first + 1]
    x = [variable(rng, k, str(rng.choice(kinds))) for k in range(int(rng.integers(2, 7)))]

    def number() -> float:
        return float(rng.integers(-5, 6)) / (10 if rng.random() < 0.3 else 1)

    def form(squares: float) -> Any:
        sum = x[0] * 0 + number()
        for i, v in enumerate(x):
            sum += number() * v
            for other in x[i:]:
                if rng.random() < squares:
                    sum += number() * v * other
        return sum

    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(form(0.3))
    for k in range(int(rng.integers(0, 4))):
        left = form(0.3 if rng.random() < 0.4 else 0.0)
        options: dict[str, Any] = {}
        if rng.random() < soft:
            options["weight"] = float(rng.choice([0.5, 1.0, 3.0]))
            if kinds == ("BINARY",) and rng.random() < 0.5:
                options["penalty"] = "quadratic"
        sense = str(rng.choice(["==", "<=", ">="]))
        cqm.add_constraint(left, sense, rhs=number(), label=f"c{k}", **options)
    return cqm


@pytest.mark.filterwarnings("ignore:no solution")
def test_constrained_models_of_all_kinds(rng: np.random.Generator) -> None:
    sampler = oa.dimod.Sampler()
    for _ in range(rounds(60, 500)):
        cqm = constrained_model(rng)
        all = dimod.ExactCQMSolver().sample_cqm(cqm)
        feasible = all.filter(lambda row: row.is_feasible)
        found = sampler.sample_cqm(cqm)
        assert found.variables == all.variables
        if len(feasible) == 0:
            assert found.info["status"] == "infeasible" and not found.first.is_feasible
            continue
        best = found.first
        assert best.is_feasible and found.info["proved_optimal"]
        assert best.energy == pytest.approx(feasible.first.energy)
        assert found.info["bound"] == pytest.approx(feasible.first.energy)
        if "penalty" in found.info:
            broken = {str(c) for c, ok in zip(cqm.constraints, best.is_satisfied) if not ok}
            assert set(found.info["soft"]) == broken
            parts = found.info["objective"] + found.info["penalty"]
            assert best.energy == pytest.approx(parts)


def test_models_in_lp_files(rng: np.random.Generator, tmp_path: pathlib.Path) -> None:
    """Integers, quadratic objectives and constraints, as dimod writes them."""
    for _ in range(rounds(40, 400)):
        cqm = constrained_model(rng, ("BINARY", "INTEGER"), soft=0.0)
        (tmp_path / "p.lp").write_text(dimod.lp.dumps(cqm))
        line = anneal(tmp_path / "p.lp")
        feasible = dimod.ExactCQMSolver().sample_cqm(cqm).filter(lambda row: row.is_feasible)
        if len(feasible) == 0:
            assert line["infeasible"]
            continue
        values = {**dict(zip(line["names"], line["x"])), **line.get("values", {})}
        found = {name: values[name] for name in cqm.variables}
        assert line["proved_optimal"] and cqm.check_feasible(found)
        assert line["energy"] == pytest.approx(feasible.first.energy)
        assert cqm.objective.energy(found) == pytest.approx(feasible.first.energy)


def test_integers_have_names_and_values(tmp_path: pathlib.Path) -> None:
    i, j, b = dimod.Integer(("i", 1)), dimod.Integer("j", upper_bound=6), dimod.Binary(7)
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(-3 * i - 2 * j + i * j - b)
    cqm.add_constraint(i + j + b <= 9, "room")  # limits i, too
    problem = oa.dimod.from_cqm(cqm)
    found = oa.solve(problem)
    assert found.x == {("i", 1): 9, "j": 0, 7: 0} and found.energy == -27 and found.proved
    assert found.values == {("i", 1): 9, "j": 0}
    assert problem.energy({("i", 1): 5, "j": 2, 7: 1}) == -10
    assert pickle.loads(pickle.dumps(problem)).energy(found.x) == -27
    assert oa.solve(problem, fix={"j": 5}).x == {("i", 1): 0, "j": 5, 7: 1}
    assert oa.solve(problem, initial=found.x).energy == -27
    with pytest.raises(ValueError, match="fix: 'j': 7 is no value"):
        oa.solve(problem, fix={"j": 7})
    with cqm.to_file() as file:
        (tmp_path / "m.cqm").write_bytes(file.read())
    assert oa.solve(tmp_path / "m.cqm").x == found.x
    optima = oa.solve(problem, all_optima=True)
    assert optima.optima == [found.x] and optima.optima_complete


def test_constrained_models_that_are_refused() -> None:
    def refused(match: str, cqm: dimod.ConstrainedQuadraticModel) -> None:
        with pytest.raises(ValueError, match=match):
            oa.dimod.from_cqm(cqm)

    a, b = dimod.Binaries("ab")
    cqm = dimod.ConstrainedQuadraticModel.from_bqm(a + b)
    cqm.add_constraint(a + b <= float("inf"), "open")
    refused("'open': a number that is not finite", cqm)
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(a + dimod.Real("r"))
    refused("'r': real", cqm)
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(a + dimod.Integer("n"))
    cqm.add_constraint(dimod.Integer("n") + dimod.Integer("m") - a >= 0, "many")
    refused("many has integers with too many values", cqm)
    cqm = dimod.ConstrainedQuadraticModel.from_bqm(a + b)
    cqm.add_constraint(a + b <= 1, "soft", weight=float("nan"))
    refused("'soft': the weight nan", cqm)
    with pytest.raises(ValueError, match="num_reads"):
        oa.dimod.Sampler().sample_cqm(cqm, num_reads=3)


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_polynomials(rng: np.random.Generator, vartype: str) -> None:
    sampler = oa.dimod.Sampler()
    for _ in range(rounds(10, 100)):
        terms = {
            tuple(f"v{i}" for i in rng.choice(6, int(rng.integers(0, 5)), replace=False)): w
            for w in rng.integers(-5, 6, 8).tolist()
        }
        polynomial = dimod.BinaryPolynomial(terms, vartype)
        best = dimod.ExactPolySolver().sample_poly(polynomial)
        found = sampler.sample_poly(polynomial)
        assert found.vartype is best.vartype and found.info["proved_optimal"]
        if len(found) == 0:
            continue
        assert found.first.energy == best.first.energy
        assert polynomial.energy(found.first.sample) == found.first.energy
        reads = sampler.sample_poly(polynomial, num_reads=7)
        assert reads.record.num_occurrences.sum() == 7
        assert (polynomial.energies(reads) == reads.record.energy).all()
        value = dict(best.first.sample)
        assert sampler.sample_poly(polynomial, fix=value).first.energy == best.first.energy
    hubo = {"abc": -1.0, "a": 0.5}
    assert sampler.sample_hubo(hubo).first.energy == -0.5
    assert sampler.sample_hising({"a": 1}, {"abc": -1}).first.energy == -2


def discrete_model(rng: np.random.Generator, n: int) -> dimod.DiscreteQuadraticModel:
    dqm = dimod.DiscreteQuadraticModel()
    for k in range(n):
        cases = int(rng.integers(1, 5))
        dqm.add_variable(cases, ("v", k))
        dqm.set_linear(("v", k), rng.normal(size=cases))
        for other in range(k):
            for _ in range(3):
                i, j = (int(rng.integers(dqm.num_cases(("v", v)))) for v in (k, other))
                dqm.set_quadratic_case(("v", k), i, ("v", other), j, float(rng.normal()))
    dqm.offset = 0.25
    return dqm


def test_discrete_models(rng: np.random.Generator) -> None:
    sampler = oa.dimod.Sampler()
    for _ in range(rounds(10, 100)):
        dqm = discrete_model(rng, int(rng.integers(1, 6)))
        best = dimod.ExactDQMSolver().sample_dqm(dqm).first
        found = sampler.sample_dqm(dqm, top=3)
        assert found.info["proved_optimal"]
        assert dict(found.first.sample) == dict(best.sample)
        assert found.first.energy == pytest.approx(best.energy)
        assert found.record.energy == pytest.approx(dqm.energies((found.record.sample,
                                                                  found.variables)))  # fmt: skip
        assert oa.solve(dqm).energy == pytest.approx(best.energy)
    assert len(sampler.sample_dqm(dimod.DiscreteQuadraticModel())) == 0


def test_promises(rng: np.random.Generator) -> None:
    plain, bqm = oa.dimod.Sampler(), model(rng, 10, "SPIN")
    a, b = dimod.Binaries("ab")
    cqm = dimod.ConstrainedQuadraticModel.from_bqm(-2 * a - 3 * b)
    cqm.add_constraint(a + b <= 1)
    dqm = discrete_model(rng, 3)
    with ThreadPoolExecutor(3) as executor:
        sampler = oa.dimod.Sampler(executor=executor)
        with pytest.raises(ValueError, match="expected time_limit"):
            sampler.sample(bqm, timeout=3)  # wrong words are refused at once
        found = [sampler.sample(bqm, seed=k, num_reads=5) for k in range(6)]
        others = sampler.sample_cqm(cqm), sampler.sample_dqm(dqm)
        wrong = sampler.sample(bqm, top=-1)
        assert found == [plain.sample(bqm, seed=k, num_reads=5) for k in range(6)]
        assert others == (plain.sample_cqm(cqm), plain.sample_dqm(dqm))
        assert all(one.done() for one in found)
        with pytest.raises(ValueError, match="top"):
            wrong.resolve()


def test_composites_of_dimod(rng: np.random.Generator) -> None:
    bqm = model(rng, 8, "SPIN")
    best = dimod.ExactSolver().sample(bqm).first.energy
    ours = oa.dimod.Sampler()
    everything = dimod.StructureComposite(ours, bqm.variables, list(bqm.quadratic))
    for composed in (
        dimod.TrackingComposite(ours),
        dimod.TruncateComposite(ours, 3),
        everything,
    ):
        assert composed.sample(bqm).first.energy == pytest.approx(best)
    polynomial = dimod.BinaryPolynomial({"abc": 2, "ab": -1, "c": 1}, "SPIN")
    best = dimod.ExactPolySolver().sample_poly(polynomial).first.energy
    assert dimod.HigherOrderComposite(ours).sample_poly(polynomial).first.energy == best
    assert dimod.PolyScaleComposite(ours).sample_poly(polynomial, scalar=0.5).first.energy == best
    assert dimod.PolyTruncateComposite(ours, 1).sample_poly(polynomial).first.energy == best
    held = dimod.PolyFixedVariableComposite(ours).sample_poly(polynomial, fixed_variables={"c": 1})
    assert held.first.energy == ours.sample_poly(polynomial, fix={"c": 1}).first.energy
