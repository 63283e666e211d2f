"""Single problems: from arrays, dictionaries and files, and back."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Hashable, Mapping, Sequence
from importlib import import_module
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oa import _oa
from oa._types import Linear, Path, Sense, Vartype, Weights

_CHOICES = {"vartype": ("binary", "spin"), "sense": ("min", "max")}


def _choice(what: str, value: str | None) -> bool:
    """Whether `value` is the second choice; None is the first."""
    if value is None:
        return False
    choices = _CHOICES[what]
    if value not in choices:
        raise ValueError(f"{what}: {value!r} (expected {' or '.join(choices)})")
    return value == choices[1]


_MOST_WHOLE = 1 << 53  # a double holds all whole numbers up to this one


def _array(values: object, what: str) -> NDArray[np.generic]:
    """As numpy.asarray, without a loss: masks and large whole numbers are refused."""
    if isinstance(values, np.ma.MaskedArray) and np.any(values.mask):
        raise TypeError(f"{what}: masked elements (expected numbers; filled() makes some)")
    if isinstance(values, (list, tuple)):
        for value in values:
            _check_whole(value, what)
    return np.asarray(values)


def _check_whole(value: object, what: str) -> None:
    """Refuses whole numbers that a double would round."""
    if isinstance(value, (list, tuple)):
        for one in value:
            _check_whole(one, what)
    elif isinstance(value, (int, np.integer)) and abs(int(value)) > _MOST_WHOLE:
        raise ValueError(f"{what}: {value} is beyond 2^53 (expected a number that a double holds)")


def _native(array: NDArray[np.generic], what: str) -> NDArray[np.generic]:
    """The same numbers in the order of bytes of this machine."""
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise TypeError(f"{what}: elements of type {array.dtype} (expected numbers)")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return array


def _vector(values: object, what: str) -> NDArray[np.float64]:
    array = _native(_array(values, what), what)
    if array.ndim != 1:
        raise ValueError(f"{what}: an array of shape {array.shape} (expected a vector)")
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size > 0:
        _check_whole(int(array.max()), what)
        _check_whole(int(array.min()), what)
    return np.ascontiguousarray(array, dtype=np.float64)


def _matrix(values: object) -> NDArray[np.generic]:
    array = _native(_array(values, "Q"), "Q")
    if array.flags.f_contiguous and array.ndim == 2:
        array = array.T  # x'Qx is the same
    return np.ascontiguousarray(array)


_MODELS = {
    ("dimod", "BinaryPolynomial"): ("oa.dimod", "from_polynomial"),
    ("dimod", "BinaryQuadraticModel"): ("oa.dimod", "from_bqm"),
    ("dimod", "ConstrainedQuadraticModel"): ("oa.dimod", "from_cqm"),
    ("dimod", "DiscreteQuadraticModel"): ("oa.dimod", "from_dqm"),
    ("kaiwu", "QuboModel"): ("oa.kaiwu", "from_qubo"),
    ("ommx", "Instance"): ("oa.ommx", "from_instance"),
}
_OWN = "h, offset, vartype and sense belong to the problem itself"


def _of_model(Q: object) -> Problem | None:
    """The problem of another package's model; None if `Q` is none."""
    for kind in type(Q).__mro__:
        known = kind.__module__.partition(".")[0], kind.__name__
        if known == ("networkx", "Graph"):
            raise TypeError(
                "Q: a graph (expected a matrix: networkx.to_scipy_sparse_array(Q), whose "
                "minimum with vartype='spin' is a maximum cut)"
            )
        if known in _MODELS:
            module, function = _MODELS[known]
            problem: Problem = getattr(import_module(module), function)(Q)
            return problem
    return None


class _Integer(NamedTuple):
    """A whole number: low plus the weights of its digits that are 1."""

    low: float
    places: list[int]
    weights: list[float]

    def value(self, x: Sequence[int]) -> int:
        return int(self.low + sum(w for k, w in zip(self.places, self.weights) if x[k] == 1))

    def digits(self, value: float, what: str) -> list[int]:
        left = value - self.low
        digits = []
        for weight in self.weights:
            digits.append(int(weight <= left))
            left -= weight * digits[-1]
        if left != 0:
            raise ValueError(f"{what}: {value!r} is no value of the variable")
        return digits


class Problem:
    """A quadratic function x'Qx + h'x + offset of two-valued variables.

    Parameters
    ----------
    Q : array_like, sparse matrix, dict or model
        A square array of numbers, a sparse matrix of scipy, or a dictionary ``{(i, j):
        weight}`` whose names may be anything hashable; every entry counts once.  A dense
        array keeps its type.  Keys of other lengths make a polynomial, such as ``{(): 1,
        ("a",): 2, ("a", "b", "c"): -3}``.  Models of dimod, Kaiwu and OMMX are taken as
        they are.
    h : array_like or dict, optional
        The weight of each variable alone; a dictionary if Q is one.
    offset : float, default 0
        The constant.

    vartype : {"binary", "spin"}, optional
        Values 0 and 1, or -1 and 1; by default binary, or as the file says.
    sense : {"min", "max"}, optional
        By default min, or as the file says.

    Raises
    ------
    ValueError
        If a shape or a number is wrong.
    TypeError
        If an element is not a number.

    Examples
    --------
    >>> problem = Problem({("a", "b"): 2.0}, {"a": -1.0, "b": -1.5})
    >>> problem.names, problem.energy({"a": 0, "b": 1})
    (['a', 'b'], -1.5)
    """

    __slots__ = ("_core", "_integers", "_named", "_names", "_places")
    _core: _oa.Problem

    def __init__(
        self,
        Q: object,
        h: Linear | None = None,
        offset: float = 0.0,
        *,
        vartype: Vartype | None = None,
        sense: Sense | None = None,
        _borrow: bool = False,
    ) -> None:
        spin = _choice("vartype", vartype)
        maximise = _choice("sense", sense)
        self._names: list[Hashable] | None = None
        self._places: dict[Hashable, int] | None = None
        self._integers: dict[Hashable, _Integer] = {}
        sparse = hasattr(Q, "tocoo")  # those of scipy in a dictionary, too
        self._named = isinstance(Q, Mapping) and not sparse  # its x are dictionaries
        _check_whole(offset, "offset")
        offset = float(offset)
        model = None if isinstance(Q, np.ndarray) else _of_model(Q)
        if model is not None:
            if h is not None or offset != 0.0 or vartype is not None or sense is not None:
                raise ValueError(_OWN)
            self._core, self._named, self._names = model._core, model._named, model._names
            self._integers = model._integers
        elif isinstance(Q, Mapping) and not sparse:
            self._of_dictionary(Q, h, offset, spin, maximise)
        elif hasattr(Q, "tocoo"):
            matrix = Q.tocoo()
            if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
                raise ValueError(f"Q: a matrix of shape {matrix.shape} (expected a square one)")
            h = None if h is None else _vector(h, "h")
            self._of_terms(
                matrix.shape[0], matrix.row, matrix.col, matrix.data, h, offset, spin, maximise
            )
        else:
            h = None if h is None else _vector(h, "h")
            self._core = _oa.of_matrix(_matrix(Q), h, offset, spin, maximise, _borrow)

    def _of_terms(
        self,
        n: int,
        rows: ArrayLike,
        columns: ArrayLike,
        weights: ArrayLike,
        h: NDArray[np.float64] | None,
        offset: float,
        spin: bool,
        maximise: bool,
    ) -> None:
        self._core = _oa.of_terms(
            n,
            np.ascontiguousarray(rows, dtype=np.int32),
            np.ascontiguousarray(columns, dtype=np.int32),
            _vector(weights, "Q"),
            h,
            offset,
            spin,
            maximise,
        )

    def _of_dictionary(
        self,
        Q: Mapping[tuple[Hashable, Hashable], float],
        h: Linear | None,
        offset: float,
        spin: bool,
        maximise: bool,
    ) -> None:
        if h is not None and not isinstance(h, Mapping):
            raise TypeError("h: expected a dictionary, as Q is one")
        places: dict[Hashable, int] = {}
        rows, columns = [], []
        for pair in Q:
            if not isinstance(pair, tuple):
                raise ValueError(f"Q: the key {pair!r} (expected a tuple of names)")
            if len(pair) != 2:
                return self._of_products(Q, h or {}, offset, spin, maximise)
            rows.append(places.setdefault(pair[0], len(places)))
            columns.append(places.setdefault(pair[1], len(places)))
        linear = {places.setdefault(i, len(places)): w for i, w in (h or {}).items()}
        fields = np.zeros(len(places))
        for place, weight in linear.items():
            _check_whole(weight, "h")
            fields[place] = weight
        self._places = places
        self._names = list(places)
        self._of_terms(len(places), rows, columns, list(Q.values()), fields, offset, spin, maximise)

    def _of_products(
        self,
        Q: Mapping[tuple[Hashable, ...], float],
        h: Mapping[Hashable, float],
        offset: float,
        spin: bool,
        maximise: bool,
    ) -> None:
        places: dict[Hashable, int] = {}
        products = []
        for names in (*Q, *((name,) for name in h), ()):
            if not isinstance(names, tuple):
                raise ValueError(f"Q: the key {names!r} (expected a tuple of names)")
            products.append([places.setdefault(name, len(places)) for name in names])
        if not places:
            raise ValueError("Q: no variables")
        weights = _vector([*Q.values(), *h.values(), offset], "Q").tolist()
        self._core = _oa.of_monomials(len(places), list(zip(products, weights)), [], spin, maximise)
        self._places = places
        self._names = list(places)

    @classmethod
    def _of_core(cls, core: _oa.Problem) -> Problem:
        problem = cls.__new__(cls)
        problem._core = core
        problem._named = False
        problem._places = None
        problem._names = [_decoded(name) for name in core.names] or None
        problem._integers = {
            name: _Integer(low, places, weights) for name, low, places, weights in core.integers
        }
        return problem

    def _with_names(self, names: list[Hashable]) -> Problem:
        """The same problem; its x are dictionaries then."""
        self._names = names
        self._places = None
        self._named = True
        return self

    def _with_labels(self, labels: Mapping[str, Hashable]) -> Problem:
        """The same with labels instead of texts as names of variables and integers."""
        self._integers = {labels[str(name)]: one for name, one in self._integers.items()}
        return self._with_names([labels.get(str(name), name) for name in self.names])

    def __len__(self) -> int:
        """The number of variables."""
        return self._core.size

    def __repr__(self) -> str:
        sense = self.sense
        return f"<oa.Problem: {len(self)} {self.vartype} variables, {sense}>"

    @property
    def vartype(self) -> Vartype:
        """ "binary": 0 and 1; "spin": -1 and 1."""
        return "spin" if self._core.spin else "binary"

    @property
    def sense(self) -> Sense:
        """ "min" or "max"."""
        return "max" if self._core.maximise else "min"

    @property
    def names(self) -> list[Hashable]:
        """What the variables are called; without names their numbers from 0.

        Integers are stored as digits, which have names here.
        """
        return list(range(len(self))) if self._names is None else list(self._names)

    @property
    def offset(self) -> float:
        """The constant.

        Constraints and terms of higher degree are penalties here, as in `linear` and
        `quadratic`; the variables that they need follow those that have names.
        """
        return self._core.offset

    @property
    def linear(self) -> NDArray[np.float64]:
        """The weight of each variable alone."""
        return self._core.linear

    @property
    def quadratic(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
        """Each pair of variables once, the smaller number first: i, j and its weight."""
        return self._core.terms

    def energy(self, x: ArrayLike | Weights) -> float:
        """The value at x: computed exactly, then rounded once.

        Parameters
        ----------
        x : array_like or dict
            A value for each variable; a dictionary has the values of integers.

        Returns
        -------
        float
            The value.

        Examples
        --------
        >>> Problem([[1, 2], [0, 3]]).energy([1, 1])
        6.0
        """
        values = self._values(x)
        low = -1.0 if self._core.spin else 0.0
        if not np.isin(values, (low, 1.0)).all():
            raise ValueError(f"x: a value that is not {low:g} or 1")
        return self._core.energy(values.astype(np.int8))

    def _values(self, x: ArrayLike | Weights) -> NDArray[np.float64]:
        """A value for each variable, from an array or a dictionary of all names."""
        if isinstance(x, Mapping):
            bits = self._bits(x, "x")
            if set(bits) != set(self.names):
                raise ValueError("x: not exactly the names of the variables")
            x = [bits[name] for name in self.names]
        return _vector(x, "x")

    def _bits(self, values: Weights, what: str) -> Weights:
        """The same with digits in the place of integers."""
        if not self._integers:
            return values
        bits = {name: value for name, value in values.items() if name not in self._integers}
        for name in self._integers.keys() & values.keys():
            one = self._integers[name]
            digits = one.digits(values[name], f"{what}: {name!r}")
            bits.update(zip((self.names[place] for place in one.places), digits))
        return bits

    def _named_values(self, x: Sequence[int]) -> dict[Hashable, int]:
        """The values of all variables by name, with integers in the place of digits."""
        values = dict(zip(self.names, x))
        for name, one in self._integers.items():
            for place in one.places:
                del values[self.names[place]]
            values[name] = one.value(x)
        return values

    def _place(self, name: Hashable) -> int | None:
        if self._names is None:
            if isinstance(name, (int, np.integer)) and 0 <= name < len(self):
                return int(name)
            return None
        if self._places is None:
            self._places = {name: place for place, name in enumerate(self._names)}
        return self._places.get(name)


def _decoded(name: str) -> Hashable:
    """A name as a file has it, in JSON: lists become tuples."""

    def hashable(value: object) -> object:
        return tuple(map(hashable, value)) if isinstance(value, list) else value

    decoded: Hashable = hashable(json.loads(name))
    return decoded


def _as_problem(
    Q: object,
    h: Linear | None,
    offset: float,
    vartype: Vartype | None,
    sense: Sense | None,
    borrow: bool = False,
) -> Problem:
    """A problem from whatever oa.solve takes; `borrow`: Q does not change while it lives."""
    if isinstance(Q, (str, os.PathLike)):
        problems = read_all(Q, vartype=vartype, sense=sense)
        if len(problems) != 1:
            raise ValueError(f"{Q}: {len(problems)} problems (oa.read_all reads them)")
        Q, vartype, sense = problems[0], None, None
    if not isinstance(Q, Problem):
        return Problem(Q, h, offset, vartype=vartype, sense=sense, _borrow=borrow)
    if h is not None or offset != 0.0 or vartype is not None or sense is not None:
        raise ValueError(_OWN)
    return Q


def read_all(
    path: Path,
    *,
    format: str | None = None,
    sense: Sense | None = None,
    vartype: Vartype | None = None,
) -> list[Problem]:
    """Reads all problems of a file, as :func:`read` reads one.

    Parameters
    ----------
    path : str or path
        The file.
    format : str, optional
        One of oa-formats(5); without it the content of the file decides.
    sense, vartype : str, optional
        For files that do not say them.

    Returns
    -------
    list of Problem
        The problems, in the order of the file.

    Examples
    --------
    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "problem.coo")
    >>> write({(0, 1): 2.0}, path)
    >>> len(read_all(path))
    1
    """
    os.stat(path)  # raises what Python raises for a file that is not there
    _choice("vartype", vartype)
    _choice("sense", sense)
    if format is not None:
        _info_of(format)
    elif os.fspath(path).endswith(".cqm"):
        if sense is not None or vartype is not None:
            raise ValueError(_OWN)
        return [import_module("oa.dimod").read_cqm(path)]
    found, warned = _oa.read(os.fspath(path), format or "", sense or "", vartype or "")
    for warning in warned:
        warnings.warn(warning, stacklevel=2)
    return [Problem._of_core(core) for core in found]


def read(
    path: Path,
    *,
    format: str | None = None,
    sense: Sense | None = None,
    vartype: Vartype | None = None,
) -> Problem:
    """Reads the problem in a file of one of the formats of oa-formats(5).

    Parameters
    ----------
    path : str or path
        The file; a name that ends in .cqm is a file of dimod.
    format : str, optional
        Without it the content of the file decides.
    sense, vartype : str, optional
        For files that do not say them.

    Returns
    -------
    Problem
        The problem.

    Raises
    ------
    ValueError
        If the file is not of the format, or has several problems.
    OSError
        If it cannot be opened.

    Examples
    --------
    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "problem.coo")
    >>> write({(0, 1): 2.0, (0, 0): -1.0}, path)
    >>> read(path)
    <oa.Problem: 2 binary variables, min>
    """
    problems = read_all(path, format=format, sense=sense, vartype=vartype)
    if len(problems) != 1:
        raise ValueError(f"{path}: {len(problems)} problems (oa.read_all reads them)")
    return problems[0]


def write(problem: object, path: Path, format: str | None = None) -> None:
    """Writes a problem to a file.

    Warnings say if constraints become penalties, with more variables, and if the function is
    negated because the format has the other sense.

    Parameters
    ----------
    problem : Problem or what it takes
        The problem.
    path : str or path
        The file.
    format : str, optional
        One of oa-formats(5); without it the end of the file's name decides.

    Raises
    ------
    ValueError
        If the format cannot hold the problem.

    Examples
    --------
    >>> import tempfile, os
    >>> write([[1, 2], [0, 3]], os.path.join(tempfile.mkdtemp(), "problem.qubo"))
    """
    for warning in _write(_as_problem(problem, None, 0.0, None, None), os.fspath(path), format):
        warnings.warn(warning, stacklevel=2)


def _write(problem: Problem, path: str, format: str | None, any_sense: bool = False) -> list[str]:
    """Writes a problem, with `any_sense` one to be read with another sense; returns warnings."""
    if format is None:
        ends = [name for name, suffix, _ in _oa.formats() if path.endswith(suffix)]
        if len(ends) != 1:
            raise ValueError(f"{path}: no suffix of one format (format= says which)")
        format = ends[0]
    name, _, written = _info_of(format)
    if not written:
        raise ValueError(f"the format {name} is only read")
    names: list[str] = []
    if problem._names is not None:
        try:
            names = [json.dumps(n, ensure_ascii=False) for n in problem._names]
        except TypeError as error:
            raise ValueError(f"{path}: a name that no file can hold: {error}") from None
    return _oa.write(problem._core, path, format, names, any_sense)


def _info_of(format: str) -> tuple[str, str, bool]:
    for info in _oa.formats():
        if info[0] == format:
            return info
    known = ", ".join(name for name, _, _ in _oa.formats())
    raise ValueError(f"format: {format!r} (expected {known})")
