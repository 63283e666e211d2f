"""oa.solve and oa-anneal say the same of the same problem."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
import pytest

import oa
from conftest import anneal, rounds, run


def matrix(rng: np.random.Generator, n: int, kind: str) -> np.ndarray[Any, Any]:
    if kind.startswith("float"):
        q = rng.normal(size=(n, n)).astype(kind)
    else:
        q = rng.integers(-9, 10, size=(n, n)).astype(kind)
    form = rng.integers(3)
    return q if form == 0 else np.triu(q) if form == 1 else np.triu(q) + np.triu(q, 1).T


def same(found: oa.Result, line: dict[str, Any]) -> None:
    x = list(found.x.values()) if isinstance(found.x, dict) else found.x.tolist()
    assert x == line["x"]
    assert found.energy == line["energy"]
    assert found.bound == line["bound"]
    assert found.status == line["status"]
    assert found.method == line["method"]
    assert (found.proved_by or None) == line["proved_by"]
    assert found.recovered == line.get("recovered")


def options_of(rng: np.random.Generator) -> dict[str, Any]:
    solver = str(rng.choice(["auto", "exact", "sa", "pt", "tabu", "sb", "admm", "greedy"]))
    options: dict[str, Any] = {"solver": solver, "seed": int(rng.integers(1000))}
    if solver in ("sa", "tabu", "pt", "sb"):
        options["reads"] = int(rng.integers(1, 5))
    if solver in ("auto", "exact") and rng.random() < 0.3:
        options["top"] = int(rng.integers(2, 6))
    return options


def words(options: dict[str, Any]) -> list[str]:
    return [f"--{name}={value}" for name, value in options.items()]


@pytest.mark.parametrize("kind", ["int8", "int16", "int64", "float32", "float64"])
@pytest.mark.parametrize("spin", [False, True])
def test_dense(tmp_path: pathlib.Path, rng: np.random.Generator, kind: str, spin: bool) -> None:
    vartype = "spin" if spin else "binary"
    for _ in range(rounds(8, 80)):
        q = matrix(rng, int(rng.integers(1, 24)), kind)
        path = tmp_path / "q.npy"
        np.save(path, q)
        options = options_of(rng)
        line = anneal(path, f"--vartype={vartype}", *words(options))
        same(oa.solve(q, vartype=vartype, **options), line)
        same(oa.solve(str(path), vartype=vartype, **options), line)
        same(oa.solve(np.asfortranarray(q.T), vartype=vartype, **options), line)


@pytest.mark.parametrize("format", ["qubo", "gset", "csv", "mtx", "coo", "bqm", "txt"])
def test_files(tmp_path: pathlib.Path, rng: np.random.Generator, format: str) -> None:
    for _ in range(rounds(3, 30)):
        n = int(rng.integers(3, 15))
        q = np.triu(rng.integers(-5, 6, size=(n, n)), 1)
        q[0, n - 1] = 3  # the last variable is in it
        if format == "gset":  # a graph, whose cut is the energy
            q = np.diag(q.sum(axis=0) + q.sum(axis=1)) - 2 * q
        else:
            q += np.diag(rng.integers(1, 6, size=n))
        path = tmp_path / f"q.{format}"
        oa.write(oa.Problem(q, sense="max" if format == "gset" else "min"), path, format)
        options = options_of(rng)
        same(
            oa.solve(path, **options)
            if format not in ("csv", "txt")
            else oa.solve(oa.read(path, format=format), **options),
            anneal(path, f"--format={format}", *words(options)),
        )
        back = oa.read(path, format=format)
        ones = rng.integers(0, 2, size=n).astype(np.int8)
        values = 2 * ones - 1 if back.vartype == "spin" else ones
        assert back.energy(values) == ones.astype(int) @ q @ ones.astype(int)


def test_initial_and_fixed(tmp_path: pathlib.Path, rng: np.random.Generator) -> None:
    for _ in range(rounds(10, 100)):
        n = int(rng.integers(4, 20))
        q = rng.integers(-9, 10, size=(n, n))
        np.save(tmp_path / "q.npy", q)
        start = rng.integers(0, 2, size=(int(rng.integers(1, 4)), n))
        np.save(tmp_path / "start.npy", start)
        fix = {int(i): int(rng.integers(2)) for i in rng.choice(n, 2, replace=False)}
        (tmp_path / "fix.json").write_text(json.dumps(fix))
        line = anneal(
            tmp_path / "q.npy",
            "--initial", tmp_path / "start.npy",
            "--fix", tmp_path / "fix.json",
            "--solver=sa", "--reads=1", "--sweeps=2",
        )  # fmt: skip
        options: dict[str, Any] = {"solver": "sa", "reads": 1, "sweeps": 2}
        found = oa.solve(q, initial=start, fix=fix, **options)
        same(found, line)
        assert found.fixed == line["fixed"] == 2
        again = oa.solve(q, initial=tmp_path / "start.npy", fix=tmp_path / "fix.json", **options)
        same(again, line)


def test_lists_of_solutions(tmp_path: pathlib.Path) -> None:
    q = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]])
    np.save(tmp_path / "q.npy", q)
    line = anneal(tmp_path / "q.npy", "--all-optima")
    found = oa.solve(q, all_optima=True)
    assert [x.tolist() for x in found.optima or []] == line["optima"]
    assert found.optima_complete is True
    line = anneal(tmp_path / "q.npy", "--top=5")
    found = oa.solve(q, top=5)
    assert [(e, x.tolist()) for e, x in found.top] == [(s["energy"], s["x"]) for s in line["top"]]
    line = anneal(tmp_path / "q.npy", "--count-optima")
    assert oa.solve(q, count_optima=True).optima_count == line["optima_count"]
    run("oa-anneal", "-q", "--solver=sa", "--reads=9", "--samples", tmp_path / "s.jsonl",
        tmp_path / "q.npy")  # fmt: skip
    lines = [json.loads(text) for text in (tmp_path / "s.jsonl").read_text().splitlines()]
    found = oa.solve(q, solver="sa", reads=9, samples=True)
    assert [(e, x.tolist(), c) for e, x, c in found.samples or []] == [
        (s["energy"], s["x"], s["count"]) for s in lines
    ]


def test_constraints(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "p.lp"
    path.write_text(
        "Minimize\n obj: -2 a - 3 b - c\nSubject To\n one: a + b + c = 1\nBinary\n a b c\nEnd\n"
    )
    line = anneal(path)
    found = oa.solve(path)
    same(found, line)
    assert found.feasible is True and found.names == ["a", "b", "c"]


def test_options_are_those_of_the_tool() -> None:
    import inspect

    known = run("oa-anneal", "--help").stdout
    own = {"Q", "h", "offset", "vartype", "sense", "initial", "fix", "trace", "samples"}
    for name in inspect.signature(oa.solve).parameters:
        if name not in own:
            assert "--" + name.replace("_", "-") in known, name
