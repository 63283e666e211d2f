"""Models of Kaiwu, QBoson's toolkit."""

from __future__ import annotations

import doctest
import importlib
import itertools
import pathlib
import pkgutil
import tarfile
from typing import Any

import kaiwu.core as core
import numpy as np
import pytest

import oa
import oa.kaiwu
from conftest import rounds
from kaiwu_models import compare, compare_all, recorded


def random_model(rng: np.random.Generator) -> Any:
    n = int(rng.integers(1, 9))
    x = core.ndarray(n, "x", core.Binary)
    weights = rng.normal(size=(n, n)) if rng.random() < 0.5 else rng.integers(-9, 10, (n, n))
    model = core.QuboModel(x.dot(weights).dot(x) + float(rng.integers(-3, 4)))
    if rng.random() < 0.5 and n > 1:
        model.add_constraint(x.sum() == 1, "one", penalty=7)
    return model


def test_models(rng: np.random.Generator) -> None:
    for _ in range(rounds(100, 2000)):
        compare(random_model(rng))


def test_the_whole_matrix_counts(rng: np.random.Generator) -> None:
    """Each pair twice, the diagonal once; symmetric or not."""
    for _ in range(rounds(50, 1000)):
        n = int(rng.integers(1, 8))
        matrix = rng.integers(-5, 6, size=(n, n)).astype(rng.choice(["i1", "f4", "f8"]))
        s = np.array(list(itertools.product((-1, 1), repeat=n)))
        best = -(s @ matrix.astype(int) * s).sum(axis=1).max()
        solver = oa.kaiwu.Solver()
        rows = solver.solve(matrix)
        assert solver.energy == solver.bound == best
        assert -(rows @ matrix.astype(int) * rows).sum() == best


def test_several_rows(rng: np.random.Generator) -> None:
    q = rng.integers(-9, 10, size=(6, 6)).astype(float)
    matrix, bias = core.qubo_matrix_to_ising_matrix(q.copy())
    solver = oa.kaiwu.Solver(top=10)
    rows = solver.solve(matrix, sort_solutions=True)
    x = (np.arange(64)[:, None] >> np.arange(6) & 1).astype(float)
    expected = np.sort(((x @ q) * x).sum(axis=1))[:10]
    assert solver.get_hamiltonian() + bias == pytest.approx(expected)
    assert len({tuple(row) for row in rows.tolist()}) == 10
    # x[0] + x[1] = 1 has two solutions.
    one = np.array([[-1.0, 2.0], [0.0, -1.0]])
    every = oa.kaiwu.Solver(all_optima=True).solve(core.qubo_matrix_to_ising_matrix(one)[0])
    assert sorted(every.tolist()) == [[-1, 1, 1], [1, -1, 1]]


def test_a_model_without_variables() -> None:
    solver = oa.kaiwu.Solver()
    assert solver.solve_qubo(
        core.QuboModel(core.quicksum([core.Binary("a"), 3]) - core.Binary("a"))
    )
    assert solver.energy == solver.bound == 3.0 and solver.proved
    assert solver.solve(np.array([[-2.0]])).tolist() == [[1]] and solver.energy == 2.0


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match="magic: no option"):
        oa.kaiwu.Solver(magic=1)
    with pytest.raises(ValueError, match="solver"):
        oa.kaiwu.Solver(solver="magic").solve(np.ones((2, 2)))
    solver = oa.kaiwu.Solver()
    with pytest.raises(ValueError, match="must be set"):
        solver.solve()
    with pytest.raises(ValueError, match="square"):
        solver.solve(np.ones((2, 3)))
    with pytest.raises(ValueError, match="finite"):
        solver.solve(np.array([[0, np.nan], [0, 0]]))
    a, b, c = map(core.Binary, "abc")
    with pytest.raises(core.KaiwuError, match="quadratic"):
        solver.solve_qubo(core.QuboModel(a * b * c))


def test_numbers_that_no_double_holds_are_refused() -> None:
    x, y = core.Binary("x"), core.Binary("y")
    for objective in (((1 << 53) + 1) * x - y, x * y * ((1 << 53) + 1), x + (1 << 53) + 1):
        with pytest.raises(ValueError, match=r"beyond 2\^53"):
            oa.kaiwu.Solver().solve_qubo(core.QuboModel(objective))


def test_variables_that_spins_bring_are_refused() -> None:
    a, b = core.Spin("a"), core.Spin("b")
    x = core.Binary("x")
    solver = oa.kaiwu.Solver()
    for wrong in (a * b, 2 * a, a * b - 2 * a, x + a * b):
        with pytest.raises(ValueError, match="expected Binary x: s = 2"):
            solver.solve_qubo(core.QuboModel(wrong))
    for right, best in ((a + b, -2.0), (x * a, -1.0), ((2 * x - 1) * (2 * x - 1), 1.0)):
        assert solver.solve_qubo(core.QuboModel(right))[1] == best


def test_placeholders_need_values() -> None:
    x, y, p = core.Binary("x"), core.Binary("y"), core.Placeholder("p")
    solver = oa.kaiwu.Solver()
    for objective in (p * x * y - x - y, p + x, p * p * x):
        model = core.QuboModel(objective)
        with pytest.raises(ValueError, match="the placeholder p has no value"):
            solver.solve_qubo(model)
        model.set_objective(model.objective.feed({"p": 3.0}))
        solver.solve_qubo(model)
    model = core.QuboModel(x + y)
    model.add_constraint(x + p * y == 1, "one")
    with pytest.raises(ValueError, match="the placeholder p has no value"):
        solver.solve_qubo(model)
    assert oa.solve(core.QuboModel(2 * x * y - x - 1.5 * y)).x == {"x": 0, "y": 1}


def test_models_as_problems(tmp_path: pathlib.Path) -> None:
    a, b = core.Binary("a"), core.Binary("b")
    problem = oa.kaiwu.from_qubo(core.QuboModel(3 * a * b - 2 * a - b + 5))
    oa.write(problem, tmp_path / "p.bqm", "bqm")
    assert oa.read(tmp_path / "p.bqm").energy([1, 0]) == problem.energy({"a": 1, "b": 0}) == 3.0


def test_time_limit(rng: np.random.Generator) -> None:
    matrix = rng.normal(size=(201, 201))
    solver = oa.kaiwu.Solver(time_limit=0.3)
    rows = solver.solve(matrix)
    assert not solver.proved and solver.bound < solver.energy
    assert solver.get_hamiltonian()[0] == pytest.approx(solver.energy) and rows.shape == (1, 201)


def distances(rng: np.random.Generator, n: int) -> np.ndarray:
    there = rng.integers(1, 30, size=(n, n))
    return np.triu(there, 1) + np.triu(there, 1).T


def tour_model(distance: np.ndarray) -> Any:
    """x[city, position]: a tour of all cities."""
    n = len(distance)
    x = core.ndarray((n, n), "x", core.Binary)
    following = np.roll(x, -1, axis=1)
    pairs = [(u, v) for u in range(n) for v in range(n) if u != v]
    model = core.QuboModel(
        core.quicksum([float(distance[u, v]) * (x[u].dot(following[v])) for u, v in pairs])
    )
    model.add_constraint(x.sum(axis=0) == 1, "position", penalty=2.0 * distance.max())
    model.add_constraint(x.sum(axis=1) == 1, "city", penalty=2.0 * distance.max())
    return model


def test_to_the_machine_and_back(rng: np.random.Generator, tmp_path: pathlib.Path) -> None:
    """A matrix of eight bits, solved by the toolkit's interface in the machine's place."""
    model = tour_model(distances(rng, 4) / 7)
    energy = oa.kaiwu.Solver().solve_qubo(model)[1]
    problem = oa.kaiwu.from_qubo(model)
    archive = tmp_path / "mat.tar.gz"
    summary = oa.cim.pack(problem, archive, machine="cpqc-550", precision="best", format="ising")
    with tarfile.open(archive) as files:
        matrix = np.loadtxt(files.extractfile("mat/0.csv"), delimiter=",")  # type: ignore[arg-type]
    assert (matrix == matrix.T).all() and (matrix == matrix.round()).all()
    assert np.abs(matrix).max() <= 127 and summary["kept_every"] == 1
    solver = oa.kaiwu.Solver(all_optima=True)
    for row in solver.solve(matrix):
        (returned,) = oa.cim.ingest(tmp_path / "mat.manifest", {0: row})
        assert returned["energy"] == pytest.approx(energy)
        assert dict(zip(returned["names"], returned["x"])).keys() == model.get_variables().keys()


def test_models_in_the_docstrings_of_the_toolkit() -> None:
    runner = doctest.DocTestRunner(verbose=False)
    finder = doctest.DocTestFinder()
    with recorded() as models:
        for info in pkgutil.iter_modules(core.__path__):
            module = importlib.import_module(f"kaiwu.core.{info.name}")
            for test in finder.find(module):
                runner.run(test, out=lambda text: None)
    compared, refused = compare_all(models)
    assert compared >= 4 and refused == 0
