"""The solvers for models of Kaiwu, QBoson's toolkit for its coherent Ising machines."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

try:
    import kaiwu
    import kaiwu.core as core
except ModuleNotFoundError as error:
    if error.name != "kaiwu":
        raise
    raise ImportError("oa.kaiwu needs Kaiwu: pip install kaiwu-community") from error

from oa._types import SampleOptions, SolveOptions, Status
from oa.batch import solve_batch
from oa.problem import Problem
from oa.sampling import Samples, sample
from oa.solving import Result, X, solve, states_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["AttentionSolver", "Sampler", "Solver", "from_ising", "from_qubo"]


def _names(**places: str) -> list[Any]:
    """What Kaiwu has under one of the names given for each; those of 1.4 come first."""
    found = {}
    for name, modules in places.items():
        for place in modules.split():
            module, _, other = place.partition(":")
            try:
                found[name] = getattr(import_module(f"kaiwu.{module}"), other or name)
                break
            except (AttributeError, ModuleNotFoundError):
                continue
    if missing := ", ".join(places.keys() - found.keys()):
        version = getattr(kaiwu, "__version__", "this version")
        raise ImportError(
            f"oa.kaiwu: Kaiwu ({version}) lacks {missing} (expected kaiwu-community 1.0 or "
            "kaiwu from 1.3)"
        )
    return [found[name] for name in places]


_IsingSolver, _Spin, *_ = _names(
    IsingSolver="core core:OptimizerBase", Spin="core ising", QuboModel="core qubo",
    BinaryExpression="core",
)  # fmt: skip


class _Optimizer(_IsingSolver):  # type: ignore[misc, valid-type]
    """The solver of Kaiwu 1.4 on the base class of 1.3."""

    def solve(
        self,
        ising_matrix: ArrayLike | None = None,
        negtail_flip: bool = True,
        sort_solutions: bool = False,
    ) -> NDArray[np.int64]:
        """Returns rows of spins, the best first, whose last is 1."""
        self.set_matrix(ising_matrix)
        rows: NDArray[np.int64] = self._solve(self.matrix)
        return rows


_Base: Any = _IsingSolver if hasattr(core, "IsingSolver") else _Optimizer
_Bases: Any = (_Base, core.QuboSolver) if hasattr(core, "QuboSolver") else (_Base,)

_Coefficients = NDArray[np.int8] | NDArray[np.float32]

# What belongs to a problem, or has no place in rows of spins.
_NOT_OPTIONS = {"J", "Q", "coefficients", "count_optima", "fix", "h", "initial", "levels"}
_NOT_OPTIONS |= {"beta", "offset", "samples", "sense", "temperature", "vartype"}


def _checked(function: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options, if the function has them all."""
    known = inspect.signature(function).parameters.keys() - _NOT_OPTIONS
    for name in options:
        if name not in known:
            raise TypeError(f"{name}: no option (expected {', '.join(sorted(known))})")
    return dict(options)


def _expression(model: core.QuboModel) -> core.BinaryExpression:
    """The model with its penalties, all of whose weights are numbers."""
    _check_numbers(model.objective)
    for constraint in (*model.hard_constraints.values(), *model.soft_constraints.values()):
        _check_numbers(constraint.left_operand)
    model.compile_constraints()
    expression = model.make()
    products_of_spins = isinstance(expression, _Spin) and any(
        len(names) > 1 for names in expression.coefficient
    )
    wrong = products_of_spins or "" in expression.get_variables()
    if wrong and ("",) in (_Spin("a") * _Spin("b")).coefficient:
        raise ValueError(
            "model: products or multiples of Spin, to which this version of Kaiwu adds a "
            "variable '' (expected Binary x: s = 2 * x - 1)"
        )
    return expression


def _check_numbers(expression: core.BinaryExpression) -> None:
    for weight in (*expression.coefficient.values(), expression.offset):
        if not isinstance(weight, Number):
            name = next(name for product in weight.coefficient for name in product)
            raise ValueError(
                f"model: the placeholder {name} has no value (expected "
                f"expression.feed({{{name!r}: number}}) in place of the expression)"
            )


def from_qubo(model: core.QuboModel) -> Problem:
    """A model with its penalties for oa.solve, whose x are dictionaries then.

    Parameters
    ----------
    model : kaiwu.core.QuboModel
        The model.

    Returns
    -------
    oa.Problem
        The problem; the x of its results are dictionaries.

    Examples
    --------
    >>> import oa
    >>> a, b = core.Binary("a"), core.Binary("b")
    >>> oa.solve(from_qubo(core.QuboModel(2 * a * b - a - 1.5 * b + 1))).x
    {'a': 0, 'b': 1}
    """
    expression = _expression(model)
    variables = model.get_variables()
    # Kaiwu 1.3 puts a letter before the names that its solutions have.
    told = dict(zip(variables, model.get_sol_dict(np.zeros(len(variables)))))
    terms = {(told[k[0]], told[k[-1]]): w for k, w in expression.coefficient.items()}
    return Problem(terms, offset=expression.offset)


def from_ising(matrix: ArrayLike) -> Problem:
    """The matrix M of an Ising model for oa.solve: E = -s'Ms, maximised as s'Ms.

    Parameters
    ----------
    matrix : array_like
        Square; each pair counts twice, the diagonal once.

    Returns
    -------
    oa.Problem
        The problem, maximised.

    Examples
    --------
    >>> import oa
    >>> oa.solve(from_ising([[0, 1], [1, 0]]), fix={1: 1}).x
    array([1, 1], dtype=int8)
    """
    return Problem(matrix, vartype="spin", sense="max")


class Solver(*_Bases):  # type: ignore[misc]
    """Solves Kaiwu's QUBO models and Ising matrices, with proof where it can.

    With `top` or `all_optima`, `solve` returns several rows, best first.  After a call, the
    attributes describe what it found; energies are those that the call returned.

    Parameters
    ----------
    **options
        Those of :func:`oa.solve`: solver, time_limit, seed, top, ...

    Examples
    --------
    >>> x = core.ndarray(3, "x", core.Binary)
    >>> model = core.QuboModel(-x[0] - 2 * x[1] - 1.5 * x[2])
    >>> model.add_constraint(x.sum() == 1, "one", penalty=5)
    >>> solver = Solver(top=2)
    >>> solution, energy = solver.solve_qubo(model)
    >>> solution, energy, solver.proved, solver.bound
    ({'x[0]': 0.0, 'x[1]': 1.0, 'x[2]': 0.0}, -2.0, True, -2.0)
    >>> solver.solve(core.qubo_model_to_ising_model(model).get_matrix()).tolist()
    [[-1, 1, -1, 1], [-1, -1, 1, 1]]
    """

    energy: float
    """The lowest energy."""
    bound: float
    """No energy is lower; -inf if nothing is known."""
    proved: bool
    """Whether the best solution is proved optimal."""
    status: Status
    """"proved optimal", "best found" or "stopped"."""
    seconds: float

    def __init__(self, **options: Unpack[SolveOptions]) -> None:
        super().__init__()
        self._options = _checked(solve, options)

    def _note(self, sign: float, found: Result[X]) -> None:
        self.energy = sign * found.energy + 0.0
        self.bound = sign * found.bound + 0.0
        self.proved = found.proved
        self.status = found.status
        self.seconds = found.seconds

    def _solve(self, ising_matrix: ArrayLike | None = None) -> NDArray[np.int64]:
        """The best spins, a row each; the last spin is 1."""
        problem = from_ising(self.matrix if ising_matrix is None else ising_matrix)
        found = solve(problem, fix={len(problem) - 1: 1}, **self._options)
        self._note(-1.0, found)
        return np.array([x for _, x, _ in states_of(found)], dtype=np.int64)

    def solve_qubo(self, qubo_model: core.QuboModel) -> tuple[dict[str, float], float]:
        """Solves a model with all its penalties.

        Parameters
        ----------
        qubo_model : kaiwu.core.QuboModel
            The model.

        Returns
        -------
        solution : dict
            The best values of the variables.
        energy : float
            Their energy.
        """
        expression = _expression(qubo_model)
        if not expression.get_variables():
            constant = float(expression.offset)
            self.energy = self.bound = constant
            self.proved, self.status, self.seconds = True, "proved optimal", 0.0
            return {}, constant
        found = solve(from_qubo(qubo_model), **self._options)
        self._note(1.0, found)
        return {name: float(value) for name, value in found.x.items()}, found.energy


class Sampler(_Base):
    """Samples of an Ising matrix at a temperature, as Boltzmann machines are trained with.

    ``solve(matrix)`` returns rows of spins, whose last is 1, with probabilities in proportion to
    exp(-E / temperature), E = -s'Ms.  The next call returns other samples.  After a call, `samples`
    describes them: whether they are exact, and as good as how many independent ones.

    Parameters
    ----------
    reads : int, default 1000
        The number of rows.
    temperature : float, default 1.0
        In units of energy.
    seed : int, default 1
        Seed of the random streams; None for another one each time.
    **options
        Those of :func:`oa.sample`.

    Examples
    --------
    >>> sampler = Sampler(reads=2000, temperature=2.0, seed=1)
    >>> rows = sampler.solve(np.array([[0, 1], [1, 0]]))  # E is -2 or 2
    >>> rows.shape, sampler.samples.exact, bool(abs(rows[:, 0].mean() - np.tanh(1.0)) < 0.05)
    ((2000, 2), True, True)
    """

    samples: Samples
    """What the last call drew."""

    def __init__(
        self,
        reads: int = 1000,
        temperature: float = 1.0,
        *,
        seed: int | None = 1,
        **options: Unpack[SampleOptions],
    ) -> None:
        super().__init__()
        if not isinstance(reads, (int, np.integer)) or reads < 1:
            raise ValueError(f"reads: {reads!r} (expected a whole number from 1)")
        if not 0 < temperature < np.inf:
            raise ValueError(f"temperature: {temperature!r} (expected a positive number)")
        self._reads, self._temperature = reads, temperature
        self._options = _checked(sample, options)
        self._random = np.random.default_rng(seed)

    def _solve(self, ising_matrix: ArrayLike | None = None) -> NDArray[np.int64]:
        problem = from_ising(self.matrix if ising_matrix is None else ising_matrix)
        self.samples = sample(
            problem,
            samples=self._reads,
            temperature=self._temperature,
            seed=int(self._random.integers(1 << 32)),
            fix={len(problem) - 1: 1},
            **self._options,
        )
        return self.samples.x.astype(np.int64)


class AttentionSolver:
    """The solver of a QAMA layer (attention as a QUBO, arXiv 2504.11083), with proof.

    Proofs hold for the rounded numbers of these problems: of float32, with a penalty float64.

    Parameters
    ----------
    bits : int, default 1
        With 2 to 4, a coefficient is one of ``2**bits`` multiples of
        ``1 / (2**bits - 1)``, as in the layer's soft selection.
    quadratic, linear : float, default 1.0
        The weights of x'Jx and h'x.
    penalty : float, default 0.0
        What the layer adds for bits that two heads of an image share, divided by the number
        of pairs of heads.  The heads of an image are one problem then.
    digits : bool, default False
        Whether x is (batch, heads, n, bits): the binary digits, the lowest first.
    **options
        Those of :func:`oa.solve_batch`, with a penalty of :func:`oa.solve`.

    Examples
    --------
    >>> J = np.array([[[[0.0, -3.0], [-3.0, 0.0]]]])
    >>> solver = AttentionSolver()
    >>> solver.solve(J, np.array([[[1.0, 2.0]]])), solver.proved
    (array([[[0, 1]]], dtype=int8), array([[ True]]))
    """

    energy: NDArray[np.float64]
    """The minima, of the shape (batch, heads); with a penalty (batch,)."""
    bound: NDArray[np.float64]
    """Nothing is lower."""
    proved: NDArray[np.bool_]
    """Which are proved optimal."""

    def __init__(
        self,
        bits: int = 1,
        *,
        quadratic: float = 1.0,
        linear: float = 1.0,
        penalty: float = 0.0,
        digits: bool = False,
        **options: Unpack[SolveOptions],
    ) -> None:
        if bits not in (1, 2, 3, 4):
            raise ValueError(f"bits: {bits!r} (expected 1 to 4)")
        self._bits = bits
        self._quadratic = float(quadratic)
        self._linear = float(linear)
        self._penalty = float(penalty)
        self._digits = digits
        self._options = _checked(solve if self._penalty else solve_batch, options)

    def solve(self, J: ArrayLike, h: ArrayLike) -> _Coefficients:
        """Minimises -(quadratic x'Jx + linear h'x) for each image and head.

        Parameters
        ----------
        J : array_like
            (batch, heads, n, n).
        h : array_like
            (batch, heads, n).

        Returns
        -------
        numpy.ndarray
            The optimal coefficients, in the shape of h.
        """
        couplings, fields = np.asarray(J), np.asarray(h)
        shape = fields.shape
        if fields.ndim != 3 or couplings.shape != (*shape, shape[-1]):
            raise ValueError(
                f"J and h: arrays of shape {couplings.shape} and {shape} "
                "(expected (batch, heads, n, n) and (batch, heads, n))"
            )
        for name, array in (("J", couplings), ("h", fields)):
            if array.dtype.kind not in "biuf":
                raise TypeError(f"{name}: elements of type {array.dtype} (expected numbers)")
        return (self._together if self._penalty else self._apart)(
            couplings.astype(np.float64), fields.astype(np.float64)
        )

    def _apart(self, J: NDArray[np.float64], h: NDArray[np.float64]) -> _Coefficients:
        """Each head by itself."""
        n = h.shape[-1]
        batch = solve_batch(
            (-self._quadratic * (J + np.swapaxes(J, -1, -2))).reshape(-1, n, n),
            (-self._linear * h).reshape(-1, 1, n),
            levels=None if self._bits == 1 else 1 << self._bits,
            **self._options,
        )
        self.energy = batch.energy.reshape(h.shape[:-1])
        self.bound = batch.bound.reshape(h.shape[:-1])
        self.proved = batch.proved.reshape(h.shape[:-1])
        return self._shaped(batch.x.reshape(h.shape))

    def _shaped(self, x: _Coefficients) -> _Coefficients:
        if not self._digits:
            return x
        level = np.rint(x * ((1 << self._bits) - 1)).astype(np.int8)
        return (level[..., None] >> np.arange(self._bits, dtype=np.int8)) & 1

    def _together(self, J: NDArray[np.float64], h: NDArray[np.float64]) -> _Coefficients:
        """All heads of an image in one problem of heads * n * bits variables."""
        digit = 2.0 ** np.arange(self._bits) / ((1 << self._bits) - 1)
        found = [self._image(digit, *image) for image in zip(J, h)]
        self.energy = np.array([r.energy for r in found])
        self.bound = np.array([r.bound for r in found])
        self.proved = np.array([r.proved for r in found], dtype=bool)
        digits = np.array([r.x for r in found]).reshape(*h.shape, self._bits)
        return digits if self._digits else (digits @ digit).astype(np.float32)

    def _image(
        self, digit: NDArray[np.float64], J: NDArray[np.float64], h: NDArray[np.float64]
    ) -> Result[NDArray[np.int8]]:
        heads, n = h.shape
        size = n * self._bits
        matrix = np.zeros((heads, size, heads, size))
        shared = self._penalty / max(1, heads * (heads - 1) // 2) * np.eye(size)
        for i in range(heads):
            matrix[i, :, i] = -self._quadratic * np.kron(J[i], np.outer(digit, digit))
            for k in range(i):
                matrix[k, :, i] = shared
        fields = -self._linear * np.kron(h, digit)
        return solve(matrix.reshape(heads * size, -1), fields.reshape(-1), **self._options)
