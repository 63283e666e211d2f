"""oa.sample, oa.marginals: the Boltzmann distribution of one problem."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oa import _oa
from oa._options import words_of
from oa._types import Fixed, Linear, Sense, Vartype
from oa.problem import Problem, _as_problem
from oa.solving import _fixed

__all__ = ["Marginals", "Number", "Samples", "marginals", "sample"]


@dataclass(slots=True)
class Number:
    """The distribution of a number, whose digits are variables of the problem."""

    variables: list[Hashable]
    """Its digits."""
    shares: NDArray[np.float64]
    """The probability of each choice c; digit k has its upper value if bit k of c is 1."""


@dataclass(slots=True)
class Marginals:
    """What oa.marginals found."""

    mean: NDArray[np.float64] | dict[Hashable, float]
    """The mean of each variable: an array, or a dictionary if the problem was one."""
    numbers: list[Number]
    """The numbers found in the couplings, of at most 8 digits."""
    exact: bool
    """Whether they are sums over all states, not means of samples."""
    effective: float
    """The number of independent states that would be as good; 0 if exact."""
    stopped: bool
    """Whether a limit ended the sampling early."""


@dataclass(slots=True, repr=False)
class Samples:
    """What oa.sample drew."""

    x: NDArray[np.int8]
    """The states, a row each."""
    exact: bool
    """Whether the states are independent, from the distribution itself."""
    effective: float
    """The number of independent states that would be as good for the mean energy and
    for the mean of the worst variable."""
    acceptance: float
    """The share of proposed changes that were accepted."""
    exchanges: float
    """The lowest rate of exchanges between neighbouring temperatures."""
    sweeps: int
    """The number of sweeps between the samples of a chain."""
    stopped: bool
    """Whether there are fewer states than asked for."""
    marginals: Marginals
    """Of all states that the chains visited; exact if the samples are."""
    names: list[Hashable]
    """What the columns of x are called."""
    _problem: Problem

    def __repr__(self) -> str:
        count, variables = self.x.shape
        kind = "exact" if self.exact else f"{self.effective:.3g} effective"
        return f"<oa.Samples: {count} states of {variables} variables, {kind}>"

    @property
    def energies(self) -> NDArray[np.float64]:
        """The energy of each state, computed exactly and rounded once."""
        return _oa.energies(self._problem._core, self.x)


def sample(
    Q: object,
    h: Linear | None = None,
    offset: float = 0.0,
    *,
    samples: int,
    temperature: float | None = None,
    beta: float | None = None,
    vartype: Vartype | None = None,
    sense: Sense | None = None,
    sweeps: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    time_limit: float | None = None,
    fix: Fixed | None = None,
) -> Samples:
    """Draws states with probabilities in proportion to exp(-energy / temperature).

    If the problem is maximised, the sign of its energy changes.

    Parameters
    ----------
    Q : array_like, sparse matrix, dict, Problem, model or path
        What :class:`Problem` takes, a Problem, or the path of a file.
    h : array_like or dict, optional
        The weight of each variable alone; a dictionary if Q is one.
    offset : float, default 0
        The constant.

    samples : int
        The number of states.
    temperature : float, optional
        In units of energy.
    beta : float, optional
        1 / temperature; one of both is needed.

    vartype : {"binary", "spin"}, optional
        Values 0 and 1, or -1 and 1; by default binary, or as the file says.
    sense : {"min", "max"}, optional
        By default min, or as the file says.

    sweeps : int, optional
        Between two samples of a chain; by default as many as measured autocorrelation asks
        for.
    seed : int, default 1
        Seed of the random streams.
    threads : int, optional
        Threads to use; all by default.
    time_limit : float, optional
        Seconds; then there are fewer samples.

    fix : dict or path, optional
        Variables that have values already.

    Returns
    -------
    Samples
        The states, and how good they are.

    Examples
    --------
    >>> found = sample([[0, -1], [0, 0]], samples=1000, temperature=1.0, vartype="spin", seed=1)
    >>> found.x.shape, found.exact, bool(abs(found.energies.mean() + np.tanh(1)) < 0.1)
    ((1000, 2), True, True)
    """
    problem = _as_problem(Q, h, offset, vartype, sense)
    found = _oa.sample(
        problem._core,
        _words(samples, temperature, beta, sweeps, seed, threads, time_limit),
        None if fix is None else _fixed(problem, fix),
    )
    return Samples(
        x=found.x,
        exact=found.exact,
        effective=found.effective,
        acceptance=found.acceptance,
        exchanges=found.exchanges,
        sweeps=found.sweeps,
        stopped=found.stopped,
        marginals=_marginals_of(problem, found.marginals),
        names=problem.names,
        _problem=problem,
    )


def marginals(
    Q: object,
    h: Linear | None = None,
    offset: float = 0.0,
    *,
    temperature: float | None = None,
    beta: float | None = None,
    samples: int = 1000,
    vartype: Vartype | None = None,
    sense: Sense | None = None,
    sweeps: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    time_limit: float | None = None,
    fix: Fixed | None = None,
) -> Marginals:
    """Computes the mean of each variable at a temperature.

    The means are exact if the graph of the problem is like a tree.  Others are means over chains.

    Parameters
    ----------
    Q : array_like, sparse matrix, dict, Problem, model or path
        What :class:`Problem` takes, a Problem, or the path of a file.
    h : array_like or dict, optional
        The weight of each variable alone; a dictionary if Q is one.
    offset : float, default 0
        The constant.

    temperature : float, optional
        In units of energy.
    beta : float, optional
        1 / temperature; one of both is needed.
    samples : int, default 1000
        The states of the chains.

    vartype : {"binary", "spin"}, optional
        Values 0 and 1, or -1 and 1; by default binary, or as the file says.
    sense : {"min", "max"}, optional
        By default min, or as the file says.

    sweeps : int, optional
        Between two samples of a chain; by default as many as measured autocorrelation asks
        for.
    seed : int, default 1
        Seed of the random streams.
    threads : int, optional
        Threads to use; all by default.
    time_limit : float, optional
        Seconds; then there are fewer samples.

    fix : dict or path, optional
        Variables that have values already.

    Returns
    -------
    Marginals
        The means, and the distributions of numbers.

    Examples
    --------
    >>> found = marginals({("a", "b"): 1.0}, {"a": -1.0, "b": 0.5}, temperature=1.0)
    >>> {name: round(mean, 3) for name, mean in found.mean.items()}, found.exact
    ({'a': 0.674, 'b': 0.246}, True)
    """
    problem = _as_problem(Q, h, offset, vartype, sense)
    found = _oa.marginals(
        problem._core,
        _words(samples, temperature, beta, sweeps, seed, threads, time_limit),
        None if fix is None else _fixed(problem, fix),
    )
    return _marginals_of(problem, found)


def _words(
    samples: int,
    temperature: float | None,
    beta: float | None,
    sweeps: int | None,
    seed: int | None,
    threads: int | None,
    time_limit: float | None,
) -> list[str]:
    return words_of(
        {
            "sample": samples,
            "temperature": temperature,
            "beta": beta,
            "sweeps": sweeps,
            "seed": seed,
            "threads": threads,
            "time_limit": time_limit,
        }
    )


def _marginals_of(problem: Problem, found: _oa.Marginals) -> Marginals:
    names = problem.names
    return Marginals(
        mean=dict(zip(names, found.mean.tolist())) if problem._named else found.mean,
        numbers=[Number([names[i] for i in digits], shares) for digits, shares in found.numbers],
        exact=found.exact,
        effective=found.effective,
        stopped=found.stopped,
    )
