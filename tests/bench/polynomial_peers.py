"""Polynomials: the best value after equal time on one core, ours and peers'.

    pip install openjij dimod dwave-samplers
    taskset -c 0 python tests/bench/polynomial_peers.py build/release/tools/oa-anneal [SECONDS]

A file is LABS (squared autocorrelations), a random 3SAT formula or random cubic spins.
Peers run reads until the time is over; OpenJij by the better of 100 and 1,000 sweeps.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from typing import Any, Callable

Polynomial = dict[tuple[int, ...], float]


def labs(n: int) -> tuple[str, Polynomial]:
    p: Counter[tuple[int, ...]] = Counter()
    for k in range(1, n):
        pairs = [{i, i + k} for i in range(n - k)]
        for a in pairs:
            for b in pairs:
                p[tuple(sorted(a ^ b))] += 1
    return "SPIN", dict(p)


def clauses(n: int, count: int) -> tuple[str, Polynomial]:
    rng = random.Random(1)
    p: Counter[tuple[int, ...]] = Counter()
    for _ in range(count):
        term: Polynomial = {(): 1}
        for i in sorted(rng.sample(range(n), 3)):
            negated = rng.random() < 0.5
            with_i = {(*m, i): w if negated else -w for m, w in term.items()}
            term = with_i if negated else {**term, **with_i}
        p.update(term)
    return "BINARY", dict(p)


def cubic(n: int, count: int) -> tuple[str, Polynomial]:
    rng = random.Random(1)
    p: Counter[tuple[int, ...]] = Counter()
    for _ in range(count):
        p[tuple(sorted(rng.sample(range(n), 3)))] += rng.choice((-1, 1)) * rng.randint(1, 5)
    return "SPIN", dict(p)


def ours(tool: str, vartype: str, p: Polynomial, seconds: float) -> str:
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"hubo": [[[str(i) for i in m], w] for m, w in p.items()], "vartype": vartype}, file)
        file.flush()
        line = subprocess.run([tool, "-q", "-j1", "--time-limit", str(seconds), file.name], capture_output=True)
    result = json.loads(line.stdout)
    proof = f" (proved, {result['seconds']:.2g} s)" if result["proved_optimal"] else ""
    return f"{result['energy']:g}{proof}"


def until(seconds: float, read: Callable[[], float]) -> str:
    best, end = float("inf"), time.monotonic() + seconds
    while time.monotonic() < end:
        best = min(best, read())
    return f"{best:g}"


def openjij(vartype: str, p: Polynomial, seconds: float) -> str:
    import openjij

    def run(sweeps: int) -> float:
        sampler: Any = openjij.SASampler()
        response = sampler.sample_hubo({m: w for m, w in p.items() if m}, vartype, num_sweeps=sweeps, num_reads=1)
        return float(response.first.energy) + p.get((), 0)

    return min((until(seconds, lambda: run(sweeps)) for sweeps in (100, 1000)), key=float)


def dimod(vartype: str, p: Polynomial, seconds: float) -> str:
    import dimod
    from dwave.samplers import SimulatedAnnealingSampler

    sampler = dimod.HigherOrderComposite(SimulatedAnnealingSampler())
    model = dimod.BinaryPolynomial(p, vartype)
    return until(seconds, lambda: float(sampler.sample_poly(model, num_reads=1, penalty_strength=20).first.energy))


def main() -> None:
    tool = sys.argv[1]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 3.0
    problems = {f"LABS {n}": labs(n) for n in (30, 40, 50)}
    problems["3SAT 120, 510"] = clauses(120, 510)
    problems["cubic 100, 200"] = cubic(100, 200)
    print("| | oa-anneal | OpenJij | dimod, dwave-samplers |\n| --- | --: | --: | --: |")
    for name, (vartype, p) in problems.items():
        row = [ours(tool, vartype, p, seconds), openjij(vartype, p, seconds), dimod(vartype, p, seconds)]
        print(f"| {name} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
