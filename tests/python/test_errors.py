"""Wrong input: a clear exception, never a crash."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import oa

Q = np.array([[-1.0, 2.0], [0.0, -1.0]])


@pytest.mark.parametrize(
    ("q", "error", "says"),
    [
        (np.ones((2, 3)), ValueError, "expected a square matrix"),
        (np.ones(3), ValueError, "expected a square matrix"),
        (np.ones((2, 2, 2)), ValueError, "expected a square matrix"),
        (np.float64(3), ValueError, "expected a square matrix"),
        (np.ones((0, 0)), ValueError, "0 variables"),
        (np.array([[np.nan, 0], [0, 0]]), ValueError, r"\(0,0\) is not finite"),
        (np.array([[0, np.inf], [0, 0]]), ValueError, r"\(0,1\) is not finite"),
        (np.full((2, 2), 1e300), ValueError, "weights add up to"),
        (Q.astype(object), TypeError, "object"),
        (Q.astype(complex), TypeError, "complex"),
        (Q.astype(str), TypeError, "expected numbers"),
        (Q.astype(np.longdouble), TypeError, "expected numbers"),
        (np.array([[1 << 60, 0], [0, 0]]), ValueError, "2^53".replace("^", r"\^")),
        ([[1, 2], [3]], ValueError, None),
        (None, TypeError, "object"),
        ("no such file", FileNotFoundError, "no such file"),
        ({}, ValueError, "0 variables"),
        ({"ab": 1.0}, ValueError, "a tuple of names"),
        ({("a", "b", "c"): 1.0, "ab": 1.0}, ValueError, "a tuple of names"),
        ({(): 1.0}, ValueError, "no variables"),
        ({("a",): (1 << 53) + 1}, ValueError, r"2\^53"),
        ({("a",): float("nan")}, ValueError, "nan"),
        ({("a", "b"): "x"}, TypeError, "expected numbers"),
        ({("a", "b"): float("nan")}, ValueError, "nan"),
        ({("a", "b"): 1j}, TypeError, "complex"),
        ({("a", "a"): (1 << 53) + 1}, ValueError, r"2\^53"),
        ({("a", "a"): np.int64((1 << 53) + 1)}, ValueError, r"2\^53"),
        ([[(1 << 53) + 1, 0.5], [0, 0]], ValueError, r"2\^53"),
        (scipy.sparse.csr_matrix([[(1 << 53) + 1]]), ValueError, r"2\^53"),
        (np.ma.masked_array(Q, mask=[[True, False], [False, False]]), TypeError, "masked"),
        (scipy.sparse.csr_matrix(np.ones((2, 3))), ValueError, "square"),
        (scipy.sparse.csr_matrix(np.ones((2, 2), dtype=complex)), TypeError, "complex"),
    ],
)
def test_bad_problems(q: Any, error: type[Exception], says: str | None) -> None:
    with pytest.raises(error, match=says):
        oa.solve(q)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"h": [1.0]}, ValueError, "h: 1 numbers"),
        ({"h": [[1.0, 2.0]]}, ValueError, "expected a vector"),
        ({"h": [(1 << 53) + 1, 0]}, ValueError, r"2\^53"),
        ({"h": np.ma.masked_array([1.0, 2.0], mask=[1, 0])}, TypeError, "masked"),
        ({"offset": (1 << 53) + 1}, ValueError, r"2\^53"),
        ({"h": [np.nan, 0.0]}, ValueError, "nan"),
        ({"h": {"a": 1}}, TypeError, None),
        ({"offset": "x"}, ValueError, "x"),
        ({"offset": float("inf")}, ValueError, "inf"),
        ({"vartype": "trit"}, ValueError, "binary or spin"),
        ({"sense": "best"}, ValueError, "min or max"),
        ({"solver": "magic"}, ValueError, "magic"),
        ({"reads": 0, "solver": "sa"}, ValueError, "expected a whole number from 1"),
        ({"reads": 3, "solver": "exact"}, ValueError, "^reads has no effect"),
        ({"top": 20000}, ValueError, "10000"),
        ({"seed": -1}, ValueError, "seed"),
        ({"seed": "x"}, ValueError, "seed"),
        ({"threads": 0}, ValueError, "threads"),
        ({"time_limit": -1}, ValueError, "^time_limit"),
        ({"time_limit": True, "seed": 1}, ValueError, "^time_limit needs a value"),
        ({"samples": True}, ValueError, "samples"),
        ({"initial": [0, 1, 1]}, ValueError, "3 elements"),
        ({"initial": [0, 2]}, ValueError, "expected 0 and 1"),
        ({"initial": {2: 1}}, ValueError, "initial: 2 is no variable"),
        ({"initial": [[0, 1, 1], [0, 1, 0]]}, ValueError, "3 elements"),
        ({"initial": np.zeros((1, 1, 2))}, ValueError, "a list of vectors"),
        ({"initial": "no such file"}, FileNotFoundError, None),
        ({"fix": {5: 1}}, ValueError, "no variable"),
        ({"fix": {0: 3}}, ValueError, "expected 0 or 1"),
        ({"fix": [1, 0]}, TypeError, "dictionary"),
        ({"nonsense": 1}, TypeError, "nonsense"),
    ],
)
def test_bad_options(options: dict[str, Any], error: type[Exception], says: str | None) -> None:
    with pytest.raises(error, match=says):
        oa.solve(Q, **options)


def test_layouts_that_are_fine() -> None:
    expected = oa.solve(Q)
    frozen = Q.copy()
    frozen.flags.writeable = False
    wide = np.zeros((4, 4))
    wide[::2, ::2] = Q
    for same in (
        Q.tolist(),
        Q.astype(">f8"),
        Q.astype(np.float16),
        frozen,
        wide[::2, ::2],
        np.asfortranarray(Q),
        np.asmatrix(Q),
        Q.astype(">i4"),
        scipy.sparse.dok_matrix(Q),
        scipy.sparse.dok_array(Q),
    ):
        found = oa.solve(same)
        assert found.energy == expected.energy and (found.x == expected.x).all()
    assert oa.solve(np.array([[True, False], [False, True]]), sense="max").energy == 2.0


def test_arrays_stay_as_they_are() -> None:
    q = np.array([[-1, 2], [3, -4]], dtype=np.int8)
    before = q.copy()
    oa.solve(q)
    assert (q == before).all()


def test_names_that_collide() -> None:
    found = oa.solve({(1, "1"): 2.0, (1, 1): -1.0, ("1", "1"): -3.0})
    assert found.x == {1: 0, "1": 1}
    assert oa.solve({((), frozenset()): 1.0, ((), ()): -1.0}).x == {(): 1, frozenset(): 0}


def test_bad_files(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "p.qubo"
    path.write_text("p qubo 0 2 1 0\n0 0 x\n")
    with pytest.raises(ValueError, match="p.qubo"):
        oa.solve(path)
    with pytest.raises(ValueError, match="expected"):
        oa.read(path, format="nonsense")
    with pytest.raises(ValueError, match="suffix"):
        oa.write(Q, tmp_path / "q.unknown")
    with pytest.raises(ValueError, match="only read"):
        oa.write(Q, tmp_path / "q.npz", "npz")
    with pytest.raises(OSError, match="no such folder"):
        oa.write(Q, tmp_path / "no such folder" / "q.coo", "coo")
    with pytest.raises(ValueError, match="no file can hold"):
        oa.write({(frozenset(), frozenset()): 1.0}, tmp_path / "q.bqm", "bqm")


def test_problems_keep_what_belongs_to_them() -> None:
    with pytest.raises(ValueError, match="belong to the problem"):
        oa.solve(oa.Problem(Q), sense="max")


def test_names_of_written_constraints(tmp_path: pathlib.Path) -> None:
    text = "Maximize\n obj: x + 2 y + 3 z\nSubject To\n c1: x + y + z <= 2\nBinary\n x y z\nEnd\n"
    (tmp_path / "a.lp").write_text(text)
    problem = oa.read(tmp_path / "a.lp")
    with pytest.warns(UserWarning) as warned:
        oa.write(problem, tmp_path / "o.json", "bqm")
    assert len(warned) == 2
    assert "1 constraint became a penalty, with 2 more variables" in str(warned[0].message)
    assert "written negated" in str(warned[1].message)
    back = oa.read(tmp_path / "o.json")
    assert back.names == ["x", "y", "z", "added 0", "added 1"]
    assert oa.solve(back).energy == -oa.solve(problem).energy == -5.0
