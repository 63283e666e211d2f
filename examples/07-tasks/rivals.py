"""Decoders of sums beside each other: whole sets right, with interval and time a query.

    rivals.py solve known|unknown TASK TUNING RESULTS [SHARE]   folders of oa-tasks superposed
    rivals.py trained TASK RESULTS MODEL...                     models of oa-train
    rivals.py table RESULTS...

Each method has the best of eight trials for other problems.  Rows that RESULTS has are kept.
SHARE reduces the numbers of queries.
Needs the oa tools on PATH.  Times are those of one core, for oa-qubo and oa-anneal together.
"""

import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import typing

import decoders
import numpy as np

PENALTIES = [0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3]
SHRINKAGES = [0.0, 0.003, 0.01, 0.03, 0.06, 0.1, 0.2, 0.3]
WEIGHTS = [0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0]
NOISE_DAMPING = [(n, d) for n in (0.001, 0.0025, 0.005, 0.01) for d in (0.1, 0.3)]
DAMPING = [1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
TOLERANCES = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]
NO_TRIALS = [0.0]
CHUNK = 500


class Result(typing.NamedTuple):
    right: int
    count: int
    seconds: float
    proved: int = 0

    @property
    def ms(self):
        """Milliseconds a query."""
        return 1000 * self.seconds / self.count


class Problems:
    """Memories v (t, m, d), with the queries q (t, n, d) of each and their sets x (t, n, m)."""

    def __init__(self, v, q, x):
        self.v, self.q, self.x, self.k = v, q, x, int(x[0, 0].sum())

    def first(self, queries):
        t = max(1, min(len(self.q), queries // self.q.shape[1]))
        return Problems(self.v[:t], self.q[:t], self.x[:t])

    def each(self):
        """A memory for each query."""
        n = self.q.shape[1]
        return (
            np.repeat(self.v, n, axis=0),
            self.q.reshape(-1, self.q.shape[2]),
            self.x.reshape(-1, self.x.shape[2]),
        )


def read_idx(path):
    data = path.read_bytes()
    shape = np.frombuffer(data, ">i4", data[3], 4)
    kind = {8: "u1", 12: ">i4", 13: ">f4"}[data[2]]
    return np.frombuffer(data, kind, -1, 4 + 4 * data[3]).reshape(shape)


def read_task(folder):
    folder = pathlib.Path(folder)
    memory = json.loads((folder / "task.json").read_text())["memory"]
    vectors = read_idx(folder / "t10k-vectors-idx3-float").astype(float)
    labels = read_idx(folder / "t10k-tokens-idx2-int")[:, :memory]
    targets = read_idx(folder / "t10k-targets-idx3-int")
    x = (labels[:, None, :, None] == targets[:, :, None, :]).any(axis=-1)
    return Problems(vectors[:, :memory], vectors[:, memory:], x)


def cpu_seconds():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def by_numpy(decode, takes_share=False):
    def share_right(problems, k, trial):
        v, q, x = problems.each()
        extra = {"share": problems.k / x.shape[1]} if takes_share else {}
        right, seconds = 0, 0.0
        for at in range(0, len(q), CHUNK):
            part = slice(at, at + CHUNK)
            start = cpu_seconds()
            found = decode(v[part], q[part], k, trial, **extra)
            if found.dtype != bool:
                found = decoders.decide(found, k)
            seconds += cpu_seconds() - start
            right += int((found == x[part]).all(axis=1).sum())
        return Result(right, len(q), seconds)

    return share_right


def by_tools(options):
    """oa-anneal; a known size is one number more of each vector, a trial its weight."""

    def share_right(problems, k, trial):
        v, q, penalty = problems.v, problems.q, trial
        if k is not None:
            (v, q), penalty = decoders.with_size(v, q, k, trial), 0.0
        with tempfile.TemporaryDirectory() as work:
            for name, array in zip("VQX", (v, q, problems.x)):
                np.save(f"{work}/{name}.npy", array.astype(np.float32))
            start = cpu_seconds()
            run(
                f"oa-qubo -q -j 1 --values {work}/V.npy --queries {work}/Q.npy --lambda {penalty} "
                f"| oa-anneal -q -j 1 {options} -o {work}/solved.oa"
            )
            seconds = cpu_seconds() - start
            score = json.loads(run(f"oa-score -q --truth {work}/X.npy --json {work}/solved.oa"))
        count = problems.x[..., 0].size
        right = round(count * (1.0 - score["errors"]))
        return Result(right, count, seconds, score["proved_optimal"])

    return share_right


def run(command):
    return subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout


def methods(known):
    """Name, effort, decoder, trials, queries, problems for tuning."""
    penalties = WEIGHTS if known else PENALTIES
    searched = NO_TRIALS if known else PENALTIES
    ep = by_numpy(decoders.expectation_propagation, takes_share=True)
    amp = by_numpy(decoders.amp, takes_share=True)
    anneal = by_tools("--solver sa --reads 1024")
    tempering = by_tools("--solver pt --reads 4 --sweeps 1000")
    exact = by_tools("--solver exact")
    rows = [
        ("EP", "100 steps", ep, NOISE_DAMPING, 10000, 200),
        ("AMP", "200 steps", amp, DAMPING, 10000, 200),
        ("box", "", by_numpy(decoders.box), SHRINKAGES, 10000, 200),
        ("lasso", "", by_numpy(decoders.lasso), SHRINKAGES, 10000, 200),
        ("OMP", "", by_numpy(decoders.omp), NO_TRIALS if known else TOLERANCES, 10000, 200),
        ("tabu", "1,024 reads", by_tools("--solver tabu --reads 1024"), penalties, 2000, 64),
        ("tabu", "2,048 reads", by_tools("--solver tabu --reads 2048"), penalties, 2000, 64),
        ("tabu", "4,096 reads", by_tools("--solver tabu --reads 4096"), penalties, 2000, 64),
        ("annealing", "1,024 reads", anneal, penalties, 2000, 64),
        ("pt", "4 x 1,000", tempering, penalties, 1000, 64),
        ("beam", "1,024 sets", walk(decoders.beam, 1024), searched, 2000, 64),
        ("beam", "4,096 sets", walk(decoders.beam, 4096), searched, 1000, 24),
        ("swaps", "100 starts", walk(decoders.swaps, 100), searched, 2000, 64),
        ("swaps", "1,000 starts", walk(decoders.swaps, 1000), searched, 1000, 24),
    ]
    if known:
        # The first of equal trials counts; small weights are slow to prove.
        weights = sorted(WEIGHTS, key=lambda weight: abs(weight - 0.5))
        return [*rows, ("exact", "proved", exact, weights, 4000, 64)]
    # The penalty as an axis: the smaller, the slower.
    counts = {0.02: 200, 0.03: 200, 0.1: 4000}
    axis = [("exact", f"lambda {p:g}", exact, [p], counts.get(p, 1000), 8) for p in PENALTIES]
    return [*rows, *sorted(axis, key=lambda row: row[4])]


def walk(decode, effort):
    return by_numpy(lambda v, q, k, penalty: decode(v, q, k, penalty, effort))


def wilson(right, count, z=1.959964):
    """The 95 % interval of a share, in per cent."""
    share, wide = right / count, z * z / count
    middle = (share + wide / 2) / (1 + wide)
    half = z * math.sqrt(share * (1 - share) / count + wide / (4 * count)) / (1 + wide)
    return 100 * (middle - half), 100 * (middle + half)


def solve(size, task, tuning, results, share=1.0):
    test, held_out = read_task(task), read_task(tuning)
    k = test.k if size == "known" else None
    known = {(row["method"], row["effort"]) for row in rows_of(results)}
    with open(results, "a") as out:
        for name, effort, decode, trials, queries, tried in methods(size == "known"):
            if (name, effort) in known:
                continue
            others = held_out.first(int(tried * share))
            trial = best_trial(decode, trials, k, others)
            found = decode(test.first(int(queries * share)), k, trial)
            write(out, found, method=name, effort=effort, size=size, trial=trial)


def best_trial(decode, trials, k, problems):
    if len(trials) == 1:
        return trials[0]
    return max(trials, key=lambda trial: decode(problems, k, trial).right)


def write(out, found, **names):
    line = names | dict(right=found.right, queries=found.count, ms=found.ms)
    print(json.dumps(line), file=out, flush=True)


def rows_of(results):
    path = pathlib.Path(results)
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def trained(task, results, *models):
    """Answers of models: oa-score solves and counts."""
    with open(results, "w") as out:
        for model in models:
            start = cpu_seconds()
            score = json.loads(run(f"oa-score -q -j 1 --first 500 {model} {task} --json"))
            count = score["asked"]
            found = Result(round(count * score["accuracy"]), count, cpu_seconds() - start)
            name = pathlib.Path(model).name.split(".")[1]
            write(out, found, method=name, effort="trained", size="learned")


def table(*results):
    """A line for each method; columns for unknown or learned and for known sizes."""
    names, cells = [], {}
    for row in (row for path in results for row in rows_of(path)):
        name = f"{row['method']:10} {row['effort']}"
        if name not in names:
            names.append(name)
        low, high = wilson(row["right"], row["queries"])
        right = 100 * row["right"] / row["queries"]
        cells[name, row["size"] == "known"] = (
            f"{right:9.2f}  {low:5.2f} to {high:6.2f} {row['queries']:6,} {row['ms']:7.2f}"
        )
    head = "  right %  95 %           queries      ms"
    print(f"{'':24}{'size unknown':>14}{'size known':>39}")
    print(f"{'method':10} {'effort':13}{head} {head}")
    for name in names:
        print(
            f"{name:24}" + " ".join(f"{cells.get((name, known), ''):40}" for known in (False, True))
        )


if __name__ == "__main__":
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "solve":
        solve(*arguments[:4], *map(float, arguments[4:]))
    else:
        {"trained": trained, "table": table}[command](*arguments)
