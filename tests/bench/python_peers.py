"""Our solvers beside those of the Python package index, on one core in equal CPU time.

Usage: python_peers.py INSTANCES [SECONDS] [WORDS]

INSTANCES is a folder with bqp*_1.qubo (maximised) and Gset's G*.txt.  Each solver is called again
and again, with other seeds, until it has had SECONDS (2) of CPU time for an instance.  The table
has the best energy that it found, and the CPU time after which it had the best known one.
WORDS select solvers whose names contain one of them.

Peers: pip install dwave-samplers openjij simulated-bifurcation cim-optimizer
"""

from __future__ import annotations

import contextlib
import io
import os
import pathlib
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402

import oa  # noqa: E402

BEST = {"bqp50_1": -2098, "bqp100_1": -7970, "bqp250_1": -45607, "bqp500_1": -116586}
BEST |= {"bqp1000_1": -371438, "G1": -11624, "G22": -13359, "G43": -6660}


@dataclass
class Instance:
    """x'Qx of variables of 0 and 1, minimised; a cut is its negative."""

    name: str
    q: np.ndarray  # upper triangular

    @property
    def best(self) -> float:
        return BEST[self.name]

    def value(self, x: Any) -> float:
        x = np.asarray(x, dtype=float)
        return float(x @ self.q @ x)

    def spins(self) -> tuple[np.ndarray, np.ndarray, float]:
        """J (upper triangular), h and the constant of the same function of spins."""
        pairs = np.triu(self.q, 1) / 4
        h = np.diag(self.q) / 2 + pairs.sum(axis=0) + pairs.sum(axis=1)
        return pairs, h, float(np.diag(self.q).sum() / 2 + pairs.sum())

    def bqm(self) -> Any:
        import dimod

        return dimod.BinaryQuadraticModel(self.q, "BINARY")


def read(path: pathlib.Path) -> Instance:
    lines = [line.split() for line in path.read_text().splitlines() if line[0] not in "cp"]
    if path.suffix == ".qubo":
        q = np.zeros((1 + max(int(line[1]) for line in lines),) * 2)
        for i, k, w in lines:
            q[min(int(i), int(k)), max(int(i), int(k))] -= float(w)
    else:
        q = np.zeros((int(lines[0][0]),) * 2)
        for i, k, w in lines[1:]:
            i, k = sorted((int(i) - 1, int(k) - 1))
            q[i, k] += 2 * float(w)
            q[i, i] -= float(w)
            q[k, k] -= float(w)
    return Instance(path.stem, q)


Call = Callable[[int], Any]  # from a seed to an x
Method = Callable[[Instance, float], Call]
METHODS: dict[str, Method] = {}


def ours(name: str, **options: Any) -> None:
    def make(instance: Instance, seconds: float) -> Call:
        problem = oa.Problem(instance.q)
        return lambda seed: oa.solve(problem, seed=seed, threads=1, **options).x

    METHODS[name] = make


ours("oa sa", solver="sa")
ours("oa tabu", solver="tabu")
ours("oa sa, reads=8", solver="sa", reads=8)


def dwave(name: str, which: str, **options: Any) -> None:
    def make(instance: Instance, seconds: float) -> Call:
        import dwave.samplers

        sampler, bqm = getattr(dwave.samplers, which)(), instance.bqm()
        n = len(instance.q)

        def call(seed: int) -> Any:
            first = sampler.sample(bqm, seed=seed, **options).first.sample
            return [first[i] for i in range(n)]

        return call

    METHODS[name] = make


dwave("dwave sa", "SimulatedAnnealingSampler")
dwave("dwave sa, sweeps=300", "SimulatedAnnealingSampler", num_sweeps=300)
dwave("dwave sa, sweeps=5000", "SimulatedAnnealingSampler", num_sweeps=5000)
dwave("dwave tabu", "TabuSampler")
dwave("dwave tabu, timeout=500", "TabuSampler", timeout=500)


def openjij(name: str, which: str, **options: Any) -> None:
    def make(instance: Instance, seconds: float) -> Call:
        import openjij as oj

        q = instance.q
        model = {(int(i), int(k)): q[i, k] for i, k in zip(*q.nonzero())}
        n = len(q)

        def call(seed: int) -> Any:
            first = getattr(oj, which)().sample_qubo(model, seed=seed, **options).first.sample
            return [first[i] for i in range(n)]

        return call

    METHODS[name] = make


openjij("openjij sa", "SASampler")
openjij("openjij sa, sweeps=3000", "SASampler", num_sweeps=3000)
openjij("openjij sqa", "SQASampler")
openjij("openjij sqa, sweeps=100", "SQASampler", num_sweeps=100)


def bifurcation(name: str, **options: Any) -> None:
    def make(instance: Instance, seconds: float) -> Call:
        import simulated_bifurcation as sb
        import torch

        torch.set_num_threads(1)
        q = torch.tensor(instance.q, dtype=torch.float32)

        def call(seed: int) -> Any:
            torch.manual_seed(seed)
            return sb.minimize(q, domain="binary", verbose=False, **options)[0].numpy()

        return call

    METHODS[name] = make


bifurcation("simulated-bifurcation")
bifurcation(
    "simulated-bifurcation, discrete, 32 agents", mode="discrete", agents=32, max_steps=1000
)


def cim(name: str, scaled: bool, **options: Any) -> None:
    def make(instance: Instance, seconds: float) -> Call:
        import torch
        from cim_optimizer.solve_Ising import Ising

        torch.set_num_threads(1)
        pairs, h, _ = instance.spins()
        n = len(h)
        matrix = -np.block([[pairs + pairs.T, h[:, None]], [h[None], 0.0]])
        if scaled:
            matrix *= 2 / (matrix.std() * np.sqrt(n))

        def call(seed: int) -> Any:
            np.random.seed(seed % 2**32)
            torch.manual_seed(seed)
            with contextlib.redirect_stdout(io.StringIO()):
                solved = Ising(matrix).solve(suppress_statements=True, **options)
            spins = np.asarray(solved.result.lowest_energy_spin_config)
            return (spins[:-1] * spins[-1] + 1) / 2

        return call

    METHODS[name] = make


cim("cim-optimizer", False)
cim(
    "cim-optimizer, scaled, 3000 steps",
    True,
    num_timesteps_per_run=3000,
    hyperparameters_randomtune=False,
)


def heuristics(instances: list[Instance], seconds: float, words: list[str]) -> Iterator[str]:
    yield "| solver | " + " | ".join(f"{i.name} ({i.best:g})" for i in instances) + " |"
    yield "| --- |" + " --: |" * len(instances)
    for name, make in METHODS.items():
        if words and not any(word in name for word in words):
            continue
        cells = []
        for instance in instances:
            try:
                cells.append(run(make(instance, seconds), instance, seconds))
            except ImportError as error:
                cells.append(f"not installed: {error.name}")
        yield f"| {name} | " + " | ".join(cells) + " |"


def run(call: Call, instance: Instance, seconds: float) -> str:
    """The best energy in so much CPU time, and when the best known one was found."""
    best, seed = np.inf, 0
    begin = time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        seed += 1
        best = min(best, instance.value(call(seed)))
        if best <= instance.best:
            return f"**{best:g}** {time.process_time() - begin:.2f} s"
    return f"{best:g}" + (f" ({spent:.0f} s)" if spent > 1.5 * seconds else "")


def main() -> None:
    warnings.simplefilter("ignore")
    folder = pathlib.Path(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 2.0
    words = sys.argv[3:]
    hard = [read(folder / name) for name in ("bqp250_1.qubo", "bqp1000_1.qubo", "G43.txt")]
    for line in heuristics(hard, seconds, words):
        print(line, flush=True)


if __name__ == "__main__":
    main()
