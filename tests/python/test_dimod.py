"""dimod's own tests of samplers, on every solver of ours."""

from __future__ import annotations

import pathlib
import unittest

import dimod
import dimod.testing
import numpy as np
import pytest

import oa
import oa.dimod
from conftest import rounds


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


def test_models_without_variables() -> None:
    found = oa.dimod.Sampler().sample(dimod.BinaryQuadraticModel({}, {}, 1.5, "SPIN"))
    assert len(found) == 0 and found.info["proved_optimal"] and found.info["bound"] == 1.5


def test_names_of_written_constraints(tmp_path: pathlib.Path) -> None:
    a, b = dimod.Binaries("ab")
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(-2 * a - 3 * b)
    cqm.add_constraint(a + b <= 1, "one")
    problem = oa.dimod.from_cqm(cqm)
    with pytest.warns(UserWarning, match="1 constraint became a penalty"):
        oa.write(problem, tmp_path / "p.json", "bqm")
    back = oa.read(tmp_path / "p.json")
    assert back.names == ["a", "b", "added 0"]
    assert oa.solve(back).energy == oa.solve(problem).energy == -3.0


def test_unknown_parameters_warn() -> None:
    with pytest.warns(dimod.exceptions.SamplerUnknownArgWarning):
        oa.dimod.Sampler().sample_ising({"a": 1}, {}, nonsense=3)


def test_other_forms() -> None:
    sampler = oa.dimod.Sampler()
    assert sampler.sample_qubo({(0, 0): -1, (0, 1): 2}).first.sample == {0: 1, 1: 0}
    assert sampler.sample_ising({"a": 1}, {}).first.sample == {"a": -1}
    assert len(sampler.sample(dimod.BinaryQuadraticModel.empty("SPIN"))) == 0
    with pytest.raises(ValueError, match="solver"):
        oa.dimod.Sampler("magic")


def test_constrained_models(rng: np.random.Generator) -> None:
    for _ in range(rounds(10, 100)):
        n = int(rng.integers(3, 8))
        x = [dimod.Binary(f"x{k}") for k in range(n)]
        weights = rng.integers(1, 6, size=n)
        cqm = dimod.ConstrainedQuadraticModel()
        cqm.set_objective(
            sum(float(rng.integers(-5, 6)) * x[i] * x[k] for i in range(n) for k in range(i))
            + sum(float(rng.integers(-5, 6)) * v for v in x)
        )
        cqm.add_constraint(
            sum(int(w) * v for w, v in zip(weights, x)) <= int(weights.sum() // 2), "most"
        )
        cqm.add_constraint(sum(x) >= 1, "some")
        best = dimod.ExactCQMSolver().sample_cqm(cqm)
        feasible = best.filter(lambda row: row.is_feasible)
        found = oa.solve(oa.dimod.from_cqm(cqm))
        assert found.feasible and found.proved
        assert found.energy == pytest.approx(feasible.first.energy)
        assert cqm.check_feasible(found.x)


def test_constrained_models_that_are_refused() -> None:
    cqm = dimod.ConstrainedQuadraticModel()
    i = dimod.Integer("i")
    cqm.set_objective(i)
    with pytest.raises(ValueError, match="binary"):
        oa.dimod.from_cqm(cqm)
    a, b = dimod.Binaries("ab")
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(a + b)
    cqm.add_constraint(a * b == 0, "product")
    with pytest.raises(ValueError, match="not linear"):
        oa.dimod.from_cqm(cqm)
