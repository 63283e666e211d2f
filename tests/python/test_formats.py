"""oa-anneal on files of numpy, pandas, scipy and dimod, and on dictionaries of biases."""

from __future__ import annotations

import itertools
import json
import pathlib
import re
from typing import Any

import dimod
import numpy as np
import pytest
import scipy.sparse

from conftest import anneal, rounds, run


def minimum(q: np.ndarray) -> float:
    x = np.array(list(itertools.product((0, 1), repeat=len(q))))
    return float(np.einsum("si,ij,sj->s", x, q, x).min())


def matrix(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.integers(-9, 10, (n, n)) / 4


def check(path: pathlib.Path, expected: float, *options: str) -> dict[str, Any]:
    """The result of a file, which has this energy and verifies."""
    line = anneal("--no-times", *options, path)
    assert line["energy"] == expected
    (path.parent / "result").write_text(json.dumps(line) + "\n")
    run("oa-anneal", "--verify", path.parent / "result", path, *options)
    return line


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_text_of_numpy(rng: np.random.Generator, tmp_path: pathlib.Path, n: int) -> None:
    q = matrix(rng, n)
    path = tmp_path / "m.txt"
    for name in ("m.txt", "m.any"):
        np.savetxt(tmp_path / name, q)
        check(tmp_path / name, minimum(q))
    np.savetxt(path, q, fmt="%.2f", delimiter="\t", header="a comment")
    check(path, minimum(q))
    np.savetxt(path, (4 * q).astype(int), fmt="%d")
    check(path, 4 * minimum(q))


@pytest.mark.parametrize("corner", ["", "name", '""'])
@pytest.mark.parametrize("named", [False, True])
def test_tables_of_pandas(
    rng: np.random.Generator, tmp_path: pathlib.Path, named: bool, corner: str
) -> None:
    """With a header, with an index, or with both; names or numbers, quoted or not."""
    names = [f"c{i}" if named else str(i) for i in range(4)]
    quoted = [f'"{name}"' if corner == '""' else name for name in names]
    for header, index in itertools.product((False, True), repeat=2):
        q = matrix(rng, 4)
        lines = [",".join(map(repr, row)) for row in q.tolist()]
        if index:
            lines = [f"{name},{line}" for name, line in zip(quoted, lines)]
        if header:
            lines.insert(0, ",".join([corner] * index + quoted))
        (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
        line = check(tmp_path / "t.csv", minimum(q))
        assert line.get("names") == (names if named and (header or index) else None)


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_archives(
    rng: np.random.Generator, tmp_path: pathlib.Path, kind: str, compressed: bool
) -> None:
    q = matrix(rng, 7)
    scipy.sparse.save_npz(tmp_path / "s.npz", scipy.sparse.coo_matrix(q).asformat(kind), compressed)
    check(tmp_path / "s.npz", minimum(q))
    (np.savez_compressed if compressed else np.savez)(tmp_path / "a.npz", q)
    check(tmp_path / "a.npz", minimum(q))


WHOLE: dict[str, Any] = {"indices": [0, 1], "indptr": [0, 1, 2], "data": [1.0, 2.0],
                         "shape": [2, 2], "format": b"csr"}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"format": b"dia"}, "the sparse format 'dia'"),
        ({"indices": [0, 2]}, "indices.npy: element 1 is 2"),
        ({"indptr": [0, 2, 1]}, "indptr.npy: element 2 is less than the element before it"),
        ({"indptr": [0, 1, 9]}, "indptr.npy: element 2 is 9"),
        ({"shape": [2, 3]}, "shape.npy: 2 x 3 .expected a square matrix"),
        ({"data": None}, "no member 'data.npy'"),
        ({"format": None}, "5 members|4 members"),
    ],
)
def test_bad_archives(tmp_path: pathlib.Path, changes: dict[str, Any], says: str) -> None:
    members = {name: value for name, value in {**WHOLE, **changes}.items() if value is not None}
    np.savez(tmp_path / "s.npz", **members)
    done = run("oa-anneal", "-q", tmp_path / "s.npz", check=False)
    assert done.returncode == 3
    assert re.search(says, done.stderr), done.stderr


@pytest.mark.parametrize("vartype", ["BINARY", "SPIN"])
@pytest.mark.parametrize("n", [2, 3, 7])
def test_biases(rng: np.random.Generator, tmp_path: pathlib.Path, vartype: str, n: int) -> None:
    q = matrix(rng, n)
    names = [f"v{9 - i}" for i in range(n)]
    pairs = [(i, k, q[i, k]) for i in range(n) for k in range(i) if q[i, k]]
    bqm = dimod.BinaryQuadraticModel(vartype)
    bqm.add_linear_from(zip(names, q.diagonal()))
    bqm.add_quadratic_from((names[i], names[k], w) for i, k, w in pairs)
    bqm.offset = 0.5
    best = dimod.ExactSolver().sample(bqm).first.energy
    path = tmp_path / "d.json"

    def model(linear: Any, quadratic: Any, **more: Any) -> None:
        path.write_text(
            json.dumps({"linear": linear, "quadratic": quadratic, "offset": 0.5, **more})
        )

    for key in (lambda i, k: f"{i},{k}", lambda i, k: str((i, k)), lambda i, k: f"{i} {k}"):
        quadratic = {key(names[i], names[k]): w for i, k, w in pairs}
        model(dict(zip(names, q.diagonal())), quadratic, vartype=vartype)
        assert check(path, best)["names"] == names
    nested: dict[int, dict[int, float]] = {}
    for i, k, w in pairs:
        nested.setdefault(i, {})[k] = w
    for quadratic in (pairs, nested):
        model(q.diagonal().tolist(), quadratic)
        check(path, best, "--vartype", vartype.lower())
    for dtype, version, named in itertools.product((np.float64, np.float32), (1, 2), (True, False)):
        one = dimod.BinaryQuadraticModel(bqm, dtype=dtype)
        one = one if named else one.relabel_variables(dict(zip(names, range(n))))
        (tmp_path / "b.bqm").write_bytes(one.to_file(version=version).read())
        assert check(tmp_path / "b.bqm", best).get("names") == (names if named else None)


def constant_in(message: str) -> float:
    """What a conversion says that energies lack."""
    found = re.search(r" add (\S+)", message)
    return float(found[1]) if found else 0.0


def kaiwu(path: pathlib.Path) -> dict[str, Any]:
    return anneal("--no-times", "--format", "kaiwu", path)


@pytest.mark.parametrize("n", [2, 4, 7])
def test_matrices_of_kaiwu(rng: np.random.Generator, tmp_path: pathlib.Path, n: int) -> None:
    """-s'Ms over all of the matrix, the last spin linear; written again, the diagonal is 0."""
    for _ in range(rounds(3, 30)):
        m = np.triu(matrix(rng, n))
        m += np.triu(m, 1).T
        s = np.array([(*row, 1) for row in itertools.product((-1, 1), repeat=n - 1)])
        best = -np.einsum("si,ij,sj->s", s, m, s).max()
        np.savetxt(tmp_path / "m.csv", m, "%.2f", ",")
        head = ",".join(["", *(f"s{i}" for i in range(n))]) + "\n"
        rows = zip(range(n), (tmp_path / "m.csv").read_text().splitlines())
        (tmp_path / "p.csv").write_text(head + "".join(f"s{i},{row}\n" for i, row in rows))
        np.save(tmp_path / "m.npy", m)
        found = [kaiwu(tmp_path / name) for name in ("m.csv", "p.csv", "m.npy")]
        assert all(line["energy"] == best and line["vartype"] == "SPIN" for line in found)
        x = np.array([*found[0]["x"], 1])
        assert -x @ m @ x == best and found[0]["x"] == found[1]["x"] == found[2]["x"]
        for name in ("w.csv", "w.npy"):
            words = ("--format", "kaiwu", "--convert", "kaiwu", "-o", tmp_path / name)
            said = run("oa-anneal", *words, tmp_path / "m.npy").stderr
            assert ("constant" in said) == (np.trace(m) != 0)
            assert kaiwu(tmp_path / name)["energy"] - np.trace(m) == best
        q = np.triu(rng.integers(-20, 21, (n, n)))
        np.save(tmp_path / "q.npy", q)
        words = ("--vartype", "binary", "--convert", "kaiwu", "-o", tmp_path / "q.kaiwu")
        said = run("oa-anneal", *words, tmp_path / "q.npy").stderr
        again = anneal("--no-times", tmp_path / "q.kaiwu")
        assert again["energy"] + constant_in(said) == minimum(q) and again["format"] == "kaiwu"
        # The machine gets whole numbers as they are.
        whole = np.trunc(m) - np.diag(np.trunc(m.diagonal()))
        whole[0, -1] = whole[-1, 0] = 5
        np.savetxt(tmp_path / "i.csv", whole, "%d", ",")
        run("oa-cim-pack", "-q", "--folder", "--force", "--format", "ising", "--precision", "exact",
            "--input-format", "kaiwu", "-o", tmp_path / "up", tmp_path / "i.csv")  # fmt: skip
        assert (np.loadtxt(tmp_path / "up" / "0.csv", delimiter=",") == whole).all()
