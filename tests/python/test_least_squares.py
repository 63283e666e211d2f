"""oa.least_squares beside brute force and beside the tools."""

from __future__ import annotations

import itertools
import pathlib
from typing import Any

import numpy as np
import pytest

import oa
from conftest import rounds, run


def values_of(coefficients: str, levels: int) -> list[float]:
    if coefficients == "spin":
        return [float(v) for v in range(1 - levels, levels, 2)]
    return [k / (levels - 1) for k in range(levels)]


def drawn(rng: np.random.Generator, shape: tuple[int, ...], complex_: bool) -> Any:
    numbers = rng.standard_normal(shape)
    return numbers + 1j * rng.standard_normal(shape) if complex_ else numbers


def kinds() -> list[tuple[str, int | None, bool, bool]]:
    """coefficients, levels, complex numbers, real coefficients"""
    return [
        ("binary", None, False, False),
        ("binary", None, True, False),
        ("levels", 3, False, False),
        ("levels", 4, True, True),
        ("spin", None, False, False),
        ("spin", 4, False, False),
        ("spin", None, True, False),
        ("spin", None, True, True),
    ]


def is_complex(kind: tuple[str, int | None, bool, bool]) -> bool:
    coefficients, _, complex_, real = kind
    return complex_ and not real and coefficients != "binary"


def choices(kind: tuple[str, int | None, bool, bool], m: int) -> Any:
    values = values_of(kind[0], kind[1] or 2)
    if is_complex(kind):
        every = np.array(list(itertools.product(values, repeat=2 * m)))
        return every[:, :m] + 1j * every[:, m:]
    return np.array(list(itertools.product(values, repeat=m)))


@pytest.mark.parametrize("kind", kinds())
def test_brute_force(rng: np.random.Generator, kind: tuple[str, int | None, bool, bool]) -> None:
    coefficients, levels, complex_, real = kind
    for _ in range(rounds(5, 200)):
        m = int(rng.integers(1, 4 if is_complex(kind) else 6))
        d = int(rng.integers(1, 5))
        b, n = int(rng.integers(1, 3)), int(rng.integers(1, 3))
        form = int(rng.integers(4))
        V = drawn(rng, (b, m, d) if form & 1 else (m, d), complex_)
        q = drawn(rng, (b, n, d) if form & 2 else (n, d), complex_)
        cost = float(rng.random()) if coefficients in ("binary", "levels") else 0.0
        if coefficients == "levels" and complex_ and not real:
            cost = 0.0
        found = oa.least_squares(
            V, q, coefficients=coefficients, levels=levels, lambda_=cost, real_coefficients=real
        )
        every = choices(kind, m)
        lead = (b,) if form else ()
        assert found.x.shape == (*lead, n, m) and found.residual.shape == (*lead, n)
        assert found.proved.all() and not found.stopped.any()
        assert np.iscomplexobj(found.x) == is_complex(kind)
        # The problem is posed in single precision.
        distances = np.sum(np.abs(q[..., None, :] - every @ V[..., None, :, :]) ** 2, axis=-1)
        costs = distances + cost * np.sum(np.real(every), axis=-1)
        reached = found.residual + cost * np.sum(np.real(found.x), axis=-1)
        np.testing.assert_allclose(reached, costs.min(axis=-1), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", kinds())
def test_same_as_tools(
    tmp_path: pathlib.Path, rng: np.random.Generator, kind: tuple[str, int | None, bool, bool]
) -> None:
    coefficients, levels, complex_, real = kind
    b, n, m, d = 2, 3, 5, 6
    V = drawn(rng, (b, m, d), complex_)
    truth = rng.choice(choices(kind, 1)[:, 0], size=(b, n, m))
    q = truth @ V + 0.3 * drawn(rng, (b, n, d), complex_)
    for name, array in (("V", V), ("q", q), ("t", truth)):
        np.save(tmp_path / f"{name}.npy", array)
    run("oa-qubo", "-q", "--values", tmp_path / "V.npy", "--queries", tmp_path / "q.npy",
        f"--coefficients={coefficients}", *([f"--levels={levels}"] if levels else []),
        *(["--real-coefficients"] if real else []), "-o", tmp_path / "p.oa")  # fmt: skip
    run("oa-anneal", "-q", "--seed=3", tmp_path / "p.oa", "-o", tmp_path / "s.oa")
    score = oa.score(tmp_path / "s.oa", truth=tmp_path / "t.npy")
    found = oa.least_squares(
        V, q, coefficients=coefficients, levels=levels, real_coefficients=real, truth=truth, seed=3
    )
    for k, frame in enumerate(oa.stream(tmp_path / "s.oa")):
        np.testing.assert_array_equal(found.energy[k], frame["energy"])
        np.testing.assert_array_equal(found.bound[k], frame["bound"])
        np.testing.assert_array_equal(found.proved[k], frame["status"] == 0)
    assert found.score is not None
    for name in ("residual", "support", "errors", "symbol_errors", "bit_errors", "truth_residual"):
        assert found.score[name] == score[name]
    assert found.score["residual"] == pytest.approx(found.residual.mean(), rel=1e-4)
    wrong = ~np.isclose(found.x, truth)
    assert found.score["symbol_errors"] == pytest.approx(wrong.mean())
    assert found.score["errors"] == pytest.approx(wrong.any(axis=-1).mean())


def test_options() -> None:
    V = np.random.default_rng(1).standard_normal((40, 30))
    q = V[:7].sum(axis=0, keepdims=True)
    found = oa.least_squares(V, q, solver="sa", reads=3, sweeps=50, seed=5, threads=1)
    assert not found.proved.any() and not found.stopped.any() and found.score is None
    assert found.x.dtype == np.int8
    assert repr(found) == "<oa.LeastSquares: 1 problems of 40 coefficients, 0 proved, 0 stopped>"
    proved = oa.least_squares(V, q, solver="exact")
    assert proved.proved.all() and proved.residual[0] == pytest.approx(0.0, abs=1e-9)
    assert np.flatnonzero(proved.x[0]).tolist() == list(range(7))
    stopped = oa.least_squares(V, q + 1.0, solver="exact", max_nodes=1)
    assert stopped.stopped.all() and (stopped.bound <= stopped.energy).all()


def test_refused() -> None:
    V = np.eye(3)
    with pytest.raises(ValueError, match=r"queries of 2 numbers \(expected 3"):
        oa.least_squares(V, np.ones((1, 2)))
    with pytest.raises(ValueError, match=r"expected \(m,d\) or \(b,m,d\)"):
        oa.least_squares(np.ones(3), np.ones((1, 3)))
    with pytest.raises(ValueError, match="2 sets of queries"):
        oa.least_squares(np.ones((3, 2, 2)), np.ones((2, 1, 2)))
    with pytest.raises(ValueError, match="all values of problem 0 are 0"):
        oa.least_squares(np.zeros((2, 2)), np.ones((1, 2)))
    with pytest.raises(ValueError, match="finite|NaN|nan"):
        oa.least_squares(V * np.nan, np.ones((1, 3)))
    with pytest.raises(ValueError, match="levels needs levels"):
        oa.least_squares(V, np.ones((1, 3)), coefficients="levels")
    with pytest.raises(ValueError, match="expected an even number"):
        oa.least_squares(1j * V, np.ones((1, 3)), coefficients="levels", levels=3)
    with pytest.raises(ValueError, match="lambda"):
        oa.least_squares(V, np.ones((1, 3)), coefficients="spin", lambda_=1.0)
    with pytest.raises(ValueError, match="expected 1 rows of 3 real numbers"):
        oa.least_squares(V, np.ones((1, 3)), truth=np.ones((1, 2)))
    with pytest.raises(ValueError, match="coefficient 1 of row 0 is 2"):
        oa.least_squares(V, np.ones((1, 3)), truth=[[0, 2, 0]])
    with pytest.raises(TypeError, match="expected numbers"):
        oa.least_squares([["a", "b"]], np.ones((1, 2)))
