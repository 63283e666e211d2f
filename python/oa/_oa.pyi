"""The extension module: arrays in, arrays out."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32 | np.float64]
Numbers = NDArray[np.float64] | NDArray[np.complex128]
Progress = Callable[[str, int, int], None]
Monomial = tuple[list[int], float]
Constraint = tuple[str, list[Monomial], str, float]
Soft = tuple[Constraint, float, str]
Integer = tuple[str, float, list[int], list[float]]
Column = tuple[str, str, float, float]

version: str
solvers: list[str]
formats: list[tuple[str, str, bool]]

class Problem:
    @property
    def size(self) -> int: ...
    @property
    def spin(self) -> bool: ...
    @property
    def maximise(self) -> bool: ...
    @property
    def offset(self) -> float: ...
    @property
    def linear(self) -> NDArray[np.float64]: ...
    @property
    def terms(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]: ...
    @property
    def format(self) -> str: ...
    @property
    def polynomial(self) -> tuple[list[Monomial], list[Constraint]] | None: ...
    @property
    def integers(self) -> list[Integer]: ...
    @property
    def names(self) -> list[str]: ...
    def energy(self, x: NDArray[np.int8]) -> float: ...

def of_matrix(
    q: NDArray[np.number | np.bool_],
    h: NDArray[np.float64] | None,
    offset: float,
    spin: bool,
    max: bool,
    borrow: bool,
) -> Problem: ...
def of_terms(
    n: int,
    rows: NDArray[np.int32],
    columns: NDArray[np.int32],
    weights: NDArray[np.float64],
    h: NDArray[np.float64] | None,
    offset: float,
    spin: bool,
    max: bool,
) -> Problem: ...
def of_monomials(
    n: int, monomials: list[Monomial], constraints: list[Constraint], spin: bool, max: bool
) -> Problem: ...
def of_program(
    variables: list[Column],
    monomials: list[Monomial],
    constraints: list[Constraint],
    soft: list[Soft],
) -> Problem: ...
def read(path: str, format: str, sense: str, vartype: str) -> tuple[list[Problem], list[str]]: ...
def write(
    problem: Problem, path: str, format: str, names: list[str], any_sense: bool
) -> list[str]: ...
def solve(
    problem: Problem,
    words: list[str],
    initial: NDArray[np.float64] | None,
    fixed: NDArray[np.uint8] | None,
    sampled: bool,
    trace: Callable[[str, float, float], bool | None] | None,
) -> tuple[Any, ...]: ...
def sample(
    problem: Problem, words: list[str], fixed: NDArray[np.uint8] | None
) -> tuple[Any, ...]: ...
def marginals(
    problem: Problem, words: list[str], fixed: NDArray[np.uint8] | None
) -> tuple[Any, ...]: ...
def energies(problem: Problem, x: NDArray[np.int8]) -> NDArray[np.float64]: ...
def read_vectors(path: str) -> NDArray[np.float64]: ...
def read_fixed(path: str, problem: Problem) -> NDArray[np.uint8]: ...
def stop(for_good: bool) -> None: ...

class Frame:
    """Arrays by name: a frame of a stream, oa-stream(5)."""

    @property
    def kind(self) -> str: ...
    @property
    def metadata(self) -> dict[str, str]: ...
    @property
    def head(self) -> Frame: ...
    def keys(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __contains__(self, name: str) -> bool: ...
    def __getitem__(self, name: str) -> NDArray[Any]: ...

class StreamReader:
    def __init__(self, path: str) -> None: ...
    def next(self) -> Frame | None: ...
    @property
    def head(self) -> Frame | None: ...
    @property
    def complete(self) -> bool: ...

class StreamWriter:
    def __init__(self, path: str) -> None: ...
    def write(self, frame: Frame) -> None: ...
    def finish(self, complete: bool) -> None: ...

def make_frame(head: Frame, kind: str, arrays: Mapping[str, NDArray[np.generic]]) -> Frame: ...

class Tensors:
    def __init__(self, path: str) -> None: ...
    @property
    def metadata(self) -> dict[str, str]: ...
    @property
    def arrays(self) -> dict[str, NDArray[Any]]: ...

class NeedsTool(Exception): ...

class MemoryFile:
    def __init__(self, name: str, parts: list[NDArray[np.uint8]]) -> None: ...
    @property
    def path(self) -> str: ...
    @property
    def size(self) -> int: ...
    def read(self) -> bytes: ...

def run_tool(tool: str, words: list[str], progress: Progress | None) -> tuple[int, list[str]]: ...

class Manifest:
    def __init__(self, path: str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def tasks(self) -> list[int]: ...
    def spins(self, task: int) -> tuple[int, bool]: ...

def solve_batch(
    j: NDArray[np.float32],
    h: NDArray[np.float32],
    coefficients: str,
    levels: int | None,
    words: list[str],
    progress: Progress | None = None,
) -> tuple[
    NDArray[np.int8] | NDArray[np.float32],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.uint8],
    NDArray[np.int64],
    NDArray[np.float64],
]: ...

class Squares:
    """Rows for the queries of all problems."""

    @property
    def levels(self) -> NDArray[np.uint8]: ...
    @property
    def bound(self) -> NDArray[np.float64]: ...
    @property
    def proved(self) -> NDArray[np.uint8]: ...
    @property
    def stopped(self) -> NDArray[np.uint8]: ...
    @property
    def seconds(self) -> NDArray[np.float64]: ...
    @property
    def score(self) -> str: ...
    @property
    def lowest(self) -> float: ...
    @property
    def step(self) -> float: ...
    @property
    def complex(self) -> bool: ...

def least_squares(
    v: Numbers,
    queries: Numbers,
    truth: Numbers | None,
    posing: list[str],
    words: list[str],
    progress: Progress | None,
) -> Squares: ...
def relax(
    kind: str,
    j: Floats,
    h: Floats,
    temperature: float,
    penalty: float,
    tolerance: float,
    threads: int,
    x: Floats,
    root: Floats,
) -> None: ...
def boltzmann(
    j: NDArray[Any], h: NDArray[Any], temperature: float, threads: int, p: NDArray[Any]
) -> None: ...
def boltzmann_backward(
    j: NDArray[Any],
    h: NDArray[Any],
    dp: NDArray[Any],
    temperature: float,
    threads: int,
    dj: NDArray[Any],
    dh: NDArray[Any],
) -> None: ...
def relax_systems(
    free: bool,
    j: Floats,
    root: Floats,
    b: Floats,
    tolerance: float,
    threads: int,
    w: Floats,
) -> None: ...
