"""Random input of all kinds: a right answer or a clear exception, never a crash.

300 cases; LONG=1 in the environment for more than 10,000.
"""

from __future__ import annotations

import itertools
import math
import pathlib
from fractions import Fraction
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse
from hypothesis import HealthCheck, given, settings

import oa
from conftest import rounds, run

CLEAR = (TypeError, ValueError, OverflowError)

fuzzed = settings(
    max_examples=rounds(43, 1500),
    deadline=None,
    database=None,
    derandomize=rounds(1, 0) == 1,
    suppress_health_check=list(HealthCheck),
)

GOOD = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]
GOOD += [">i2", ">u4", ">i8", ">f2", ">f4", ">f8"]
BAD = ["c8", "c16", "g", "O", "U3", "S2", "M8[s]", "m8[s]", "V4"]
small = st.integers(-9, 9)
numbers = st.one_of(
    small,
    small.map(lambda k: k / 4),
    st.floats(-100, 100),
    st.sampled_from([math.nan, math.inf, -math.inf, 1e300, 5e-324, -0.0, 2**53, 2**63, 0.1]),
)
names = st.one_of(
    st.sampled_from([0, 1, "0", "1", 1.0, True, "", "a", (), ("a",), ((),), None, b"a", -1]),
    st.text(max_size=3),
)


def laid_out(array: np.ndarray, layout: str) -> Any:
    """The same numbers, elsewhere in memory."""
    if layout == "fortran":
        return np.asfortranarray(array)
    if layout == "strided":
        wide = np.zeros([2 * k for k in array.shape], dtype=array.dtype)
        part = wide[(*(slice(None, None, 2) for _ in array.shape), ...)]
        part[...] = array
        return part
    if layout == "reversed" and array.ndim:
        return np.ascontiguousarray(array[::-1])[::-1]
    if layout == "frozen":
        array = array.copy()
        array.flags.writeable = False
    if layout == "unaligned" and array.dtype != object:
        raw = np.zeros(array.nbytes + 1, dtype="u1")[1:]
        moved = raw.view(array.dtype).reshape(array.shape)
        moved[...] = array
        return moved
    if layout == "masked":
        return np.ma.masked_array(array)
    if layout == "list":
        return array.tolist()
    return array


LAYOUTS = "plain fortran strided reversed frozen unaligned masked list".split()


@st.composite
def arrays(draw: Any, shape: Any) -> Any:
    """An array of this shape, or nearly, of any type and layout; what NumPy itself refuses
    becomes zeros."""
    shape = list(shape)
    if draw(st.integers(0, 9)) == 0:
        shape = draw(st.lists(st.integers(0, 4), max_size=4))
    dtype = np.dtype(draw(st.sampled_from(GOOD if draw(st.integers(0, 9)) else BAD)))
    usual = draw(st.integers(0, 3))
    values = [draw(small if usual else numbers) for _ in range(math.prod(shape))]
    array = np.zeros(shape, dtype=dtype)
    with np.errstate(all="ignore"):
        try:
            array[...] = np.array(values, dtype=object).reshape(shape)
        except CLEAR:
            pass
    return laid_out(array, draw(st.sampled_from(LAYOUTS)))


@st.composite
def problems(draw: Any) -> tuple[Any, Any]:
    """Q and h: arrays, sparse matrices or dictionaries."""
    n = draw(st.integers(0, 4))
    kind = draw(st.sampled_from(["array", "array", "sparse", "dictionary", "anything"]))
    h: Any = draw(st.none() | arrays((n,)))
    if kind == "anything":
        return draw(st.none() | names | numbers | st.lists(names, max_size=3)), h
    if kind == "dictionary":
        pairs = st.tuples(names, names) | st.sampled_from(["ab", (1,), (1, 2, 3)])
        q = draw(st.dictionaries(st.tuples(names, names), numbers, max_size=4))
        if draw(st.integers(0, 9)) == 0:
            q[draw(pairs)] = draw(numbers | st.sampled_from([1j, "1", None, Fraction(1, 2)]))
        return q, draw(st.none() | st.dictionaries(names, numbers, max_size=3) | st.just(h))
    q = draw(arrays((n, n)))
    if kind == "sparse":
        try:
            form = draw(st.sampled_from(["csr", "csc", "coo", "lil", "dok"]))
            q = scipy.sparse.coo_array(np.atleast_2d(np.asarray(q))).asformat(form)
        except (*CLEAR, AttributeError, NotImplementedError, ZeroDivisionError):
            pass
    return q, h


def exact_terms(Q: Any, h: Any) -> tuple[list[Any], dict[tuple[int, ...], Fraction]]:
    """Names and exact weights, by another way than the package's."""
    weights: dict[tuple[int, ...], Fraction] = {}

    def add(places: tuple[int, ...], w: Any) -> None:
        weights[places] = weights.get(places, Fraction(0)) + Fraction(float(w))

    if isinstance(Q, dict) and not scipy.sparse.issparse(Q):
        labels: list[Any] = []
        for name in [name for pair in Q for name in pair] + list(h or {}):
            if name not in labels:
                labels.append(name)
        for product, w in Q.items():
            add(tuple(labels.index(name) for name in product), w)
        for name, w in (h or {}).items():
            add((labels.index(name),), w)
        return labels, weights
    dense = Q.toarray() if scipy.sparse.issparse(Q) else np.asarray(Q)
    for i, k in np.ndindex(dense.shape):
        add((i, k), dense[i, k])
    for i, w in enumerate(() if h is None else np.asarray(h).tolist()):
        add((i,), w)
    return list(range(len(dense))), weights


def comparable(weights: dict[tuple[int, ...], Fraction]) -> bool:
    """Whether no weight is lost beside larger ones; then the optimum must be proved."""
    sizes = [abs(w) for w in weights.values() if w]
    return not sizes or min(sizes) * 10**9 > sum(sizes)


def value(x: Any, weights: dict[tuple[int, ...], Fraction]) -> Fraction:
    return sum(
        (w * math.prod(int(x[i]) for i in product) for product, w in weights.items()),
        Fraction(0),
    )


@fuzzed
@given(
    problems(),
    st.sampled_from([None, "binary", "spin"]),
    st.sampled_from([None, "min", "max"]),
    st.sampled_from([None, "exact", "sa"]),
)
def test_solve(problem: Any, vartype: Any, sense: Any, solver: Any) -> None:
    Q, h = problem
    try:
        found = oa.solve(Q, h, vartype=vartype, sense=sense, solver=solver)
    except CLEAR as error:
        assert str(error)
        return
    except OSError:
        assert isinstance(Q, str)  # the path of a file
        return
    labels, weights = exact_terms(Q, h)
    x = [found.x[name] for name in labels] if isinstance(Q, dict) else found.x
    low = -1 if vartype == "spin" else 0
    every = [value(x, weights) for x in itertools.product((low, 1), repeat=len(labels))]
    best = float(max(every) if sense == "max" else min(every))
    size = float(sum(map(abs, weights.values())))
    assert found.energy == float(value(x, weights))
    if solver != "sa":
        assert found.proved or not comparable(weights)
        assert abs(found.energy - best) <= 1e-12 * size


@fuzzed
@given(problems(), st.none() | arrays((3,)) | st.dictionaries(names, numbers, max_size=3))
def test_energy(problem: Any, x: Any) -> None:
    Q, h = problem
    try:
        made = oa.Problem(Q, h)
        energy = made.energy(x)
    except (*CLEAR, OSError) as error:
        assert str(error)
        return
    labels, weights = exact_terms(Q, h)
    values = [x[name] for name in labels] if isinstance(x, dict) else np.asarray(x)
    assert energy == float(value(values, weights))


OPTIONS: dict[str, Any] = {
    "all_optima": st.booleans() | st.none(),
    "fix": st.dictionaries(names, st.sampled_from([0, 1, -1, 2, "1", None]), max_size=2),
    "initial": arrays((3,)) | st.dictionaries(names, small, max_size=3),
    "max_nodes": numbers | names,
    "offset": numbers | names,
    "reads": st.integers(-1, 20) | names,
    "schedule": names,
    "seed": st.integers(-1, 2**70) | numbers | names,
    "sweeps": st.integers(-1, 20) | names,
    "target": numbers | names,
    "threads": st.integers(-1, 3) | names,
    "time_limit": st.floats(-1, 0.05) | names,
    "top": st.integers(-1, 9) | names,
    "vartype": names,
}


@fuzzed
@given(
    st.sampled_from(["auto", "exact", "sa", "pt", "tabu", "sb", "cim", "greedy"]),
    st.lists(st.sampled_from(sorted(OPTIONS)), max_size=3, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: OPTIONS[name] for name in names})
    ),
)
def test_options(solver: str, options: dict[str, Any]) -> None:
    q = np.array([[1.0, -3, 2], [0, 1, -2], [0, 0, 1]])
    try:
        found = oa.solve(q, solver=solver, **options)
    except (*CLEAR, OSError) as error:
        assert str(error)
        return
    offset = float(options.get("offset", 0.0))
    assert found.energy == pytest.approx(found.x @ q @ found.x + offset, rel=1e-12)
    if found.proved and not options.get("fix"):
        assert found.energy == pytest.approx(offset - 1.0, rel=1e-12)


@st.composite
def batches(draw: Any) -> tuple[Any, Any, dict[str, Any]]:
    m = draw(st.integers(0, 3))
    b = draw(st.none() | st.integers(0, 2))
    n = draw(st.integers(0, 3))
    J = draw(arrays((m, m) if b is None or draw(st.booleans()) else (b, m, m)))
    if draw(st.integers(0, 9)) and getattr(J, "dtype", None) in (np.float32, np.float64, np.int8):
        with np.errstate(all="ignore"):
            J = J + np.swapaxes(J, -1, -2) if J.shape[-2:] == (m, m) else J
    h = draw(arrays((n, m) if b is None else (b, n, m)))
    levels = draw(st.none() | st.integers(0, 17))
    coefficients = draw(st.sampled_from(["binary", "binary", "continuous", "other"]))
    return J, h, {"levels": levels, "coefficients": coefficients}


@fuzzed
@given(batches())
def test_batches(batch: tuple[Any, Any, dict[str, Any]]) -> None:
    J, h, options = batch
    try:
        found = oa.solve_batch(J, h, **options)
    except CLEAR as error:
        assert str(error)
        return
    shape = np.shape(h)
    assert found.x.shape == shape and found.energy.shape == shape[:-1]
    if found.energy.size == 0:
        return
    couplings = np.asarray(J).astype(np.float32).astype(float)
    fields = np.asarray(h).astype(np.float32).astype(float)
    couplings = np.broadcast_to(
        couplings.reshape(-1, 1, *couplings.shape[-2:]),
        (*fields.reshape(-1, *shape[-2:]).shape, shape[-1]),
    ).reshape(*shape, shape[-1])
    x = found.x.astype(float)
    energy = np.einsum("...i,...ij,...j", x, couplings, x) / 2 + (fields * x).sum(axis=-1)
    size = np.abs(couplings).sum(axis=(-1, -2)) + np.abs(fields).sum(axis=-1)
    assert (np.abs(found.energy - energy) <= 1e-6 * size + 1e-30).all()
    if options["coefficients"] == "binary":
        steps = (options["levels"] or 2) - 1
        for place in np.ndindex(shape[:-1]):
            every = np.array(list(itertools.product(range(steps + 1), repeat=shape[-1]))) / steps
            if len(every) < 5000 and found.proved[place]:
                energies = np.einsum("ki,ij,kj->k", every, couplings[place], every) / 2
                best = (energies + every @ fields[place]).min()
                assert found.energy[place] <= best + 1e-6 * size[place]


@fuzzed
@given(problems())
def test_files(tmp_path_factory: pytest.TempPathFactory, problem: Any) -> None:
    Q, h = problem
    path: pathlib.Path = tmp_path_factory.mktemp("fuzz") / "p.coo"
    try:
        made = oa.Problem(Q, h)
        oa.write(made, path, "bqm")
    except (*CLEAR, OSError) as error:
        assert str(error)
        return
    read = oa.read(path)
    assert len(read) == len(made.linear)
    if len(read) == len(made):  # no variables were added for products
        assert read.vartype == made.vartype
    assert (read.linear == made.linear).all() and read.offset == made.offset
    for ours, theirs in zip(made.quadratic, read.quadratic):
        assert (ours == theirs).all()


@pytest.fixture(scope="module")
def solution(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A frame with the solutions of an image."""
    folder = tmp_path_factory.mktemp("model")
    run("oa-digits", "-q", "-o", folder / "digits", "--train", 20, "--test", 1)
    words = ("--epochs", 1, "--held-out", 4, "--patch", 14, "--window", 14, "--dim", 8)
    run("oa-train", folder / "digits", "-q", "-o", folder / "model.bin", *words)
    images = np.fromfile(folder / "digits" / "t10k-images-idx3-ubyte", np.uint8)[16:]
    solved = oa.solve_stream(oa.load(folder / "model.bin").pose(images.reshape(-1, 28, 28)))
    return next(iter(solved))


@fuzzed
@given(st.data())
def test_frames(solution: Any, data: st.DataObject) -> None:
    given_arrays: dict[str, Any] = {name: solution[name] for name in solution.keys()}
    for name in data.draw(st.sets(st.sampled_from(sorted(given_arrays)), max_size=2)):
        shape = given_arrays[name].shape
        replaced = data.draw(st.none() | arrays(shape if math.prod(shape) <= 32 else (2, 2)))
        if replaced is None:
            given_arrays.pop(name, None)
        else:
            given_arrays[name] = replaced
    if data.draw(st.integers(0, 9)) == 0:
        given_arrays[data.draw(st.text(max_size=3))] = data.draw(arrays((2,)))
    kind = data.draw(st.sampled_from(["solution", "solution", "problem", "end", "", "other"]))
    try:
        made = oa.frame(solution.head, kind, **given_arrays)
    except CLEAR as error:
        assert str(error)
        return
    assert made.kind == kind
    for name, array in given_arrays.items():
        kept, wanted = made[name], np.atleast_1d(np.asarray(array))
        if kept.dtype.kind == "f":
            with np.errstate(over="ignore"):
                wanted = wanted.astype(kept.dtype)
        assert np.array_equal(kept, wanted, equal_nan=kept.dtype.kind == "f")
