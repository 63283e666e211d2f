"""Which of m random unit vectors in d numbers are in a sum?  Whole sets right, in closed form.

    crossover.py WORK TRIALS [D,S,NOISE,M ...]

Prints a line for each setting, and writes WORK/crossover.csv for oa-heatmap scatter.  Each method
has the best of PENALTIES for as many other problems.  All but threshold and exact are told the
size of the set.
"""

import json
import math
import pathlib
import subprocess
import sys

import numpy as np

PENALTIES = np.array([0.0, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0])
SWEEPS = 300
NODES = {"tuning": 30000, "test": 300000}
METHODS = ["ridge", "lasso", "nonnegative", "box", "threshold", "exact"]
SHOWN = (16, 8, 0.05)  # in the figure
LOW = {"lasso": -np.inf, "nonnegative": 0.0, "box": 0.0, "threshold": 0.0}
HIGH = {"lasso": np.inf, "nonnegative": np.inf, "box": 1.0, "threshold": 1.0}


def draw(d, s, noise, m, trials, seed):
    rng = np.random.default_rng([seed, d, s, m, round(1000 * noise)])
    v = rng.standard_normal((trials, m, d))
    v /= np.linalg.norm(v, axis=2, keepdims=True)
    x = np.zeros((trials, m))
    for row in x:
        row[rng.choice(m, s, replace=False)] = 1.0
    q = np.einsum("tm,tmd->td", x, v) + noise * rng.standard_normal((trials, d))
    return v, q, x


def largest(values, s):
    chosen = np.zeros(values.shape, bool)
    np.put_along_axis(chosen, np.argsort(-values, axis=-1)[..., :s], True, axis=-1)
    return chosen


def descent(v, q, low, high):
    """The minimum of |q - x'V|^2 + penalty |x|_1 over low <= x <= high, for each penalty."""
    x = np.zeros((len(PENALTIES), *v.shape[:2]))
    rest = np.repeat(q[None], len(PENALTIES), axis=0)
    for _ in range(SWEEPS):
        for j in range(v.shape[1]):
            u = v[:, j]
            free = x[:, :, j] + np.einsum("ptd,td->pt", rest, u)
            new = np.sign(free) * np.maximum(np.abs(free) - PENALTIES[:, None] / 2, 0.0)
            new = np.clip(new, low, high)
            rest += (x[:, :, j] - new)[:, :, None] * u
            x[:, :, j] = new
    return x


def ridge(v, q):
    gram = v.transpose(0, 2, 1) @ v
    eye = np.eye(v.shape[2])
    return np.stack(
        [
            (v @ np.linalg.solve(gram + (p + 1e-9) * eye, q[..., None]))[..., 0] for p in PENALTIES
        ]
    )


def sets(v, q, s):
    """The sets that each rival method finds for each penalty."""
    found = {"ridge": largest(ridge(v, q), s)}
    for bounds in {(LOW[name], HIGH[name]) for name in LOW}:
        x = descent(v, q, *bounds)
        for name in LOW:
            if (LOW[name], HIGH[name]) == bounds:
                found[name] = x > 0.5 if name == "threshold" else largest(x, s)
    return found


def exact(problems, penalty, nodes, work):
    for name, array in zip("VQX", problems):
        np.save(work / f"{name}.npy", array if name == "V" else array[:, None])
    pipe = (
        f"oa-qubo -q --values {work}/V.npy --queries {work}/Q.npy --lambda {penalty} | "
        f"oa-anneal -q -j 1 --solver exact --max-nodes {nodes} --json={work}/solved.json | "
        f"oa-score -q --truth {work}/X.npy --json"
    )
    score = json.loads(subprocess.run(pipe, shell=True, check=True, capture_output=True).stdout)
    return 1.0 - score["errors"], json.loads((work / "solved.json").read_text())


def shares(d, s, noise, m, trials, work):
    test, tuning = (draw(d, s, noise, m, trials, seed) for seed in (1, 2))
    found, held_out = (sets(*some[:2], s) for some in (test, tuning))
    share = {}
    for name in found:
        best = np.argmax((held_out[name] == tuning[2]).all(-1).mean(-1))
        share[name] = float((found[name][best] == test[2]).all(-1).mean())
    penalty = max(PENALTIES[:1:-1], key=lambda p: exact(tuning, p, NODES["tuning"], work)[0])
    share["exact"], solved = exact(test, penalty, NODES["test"], work)
    return share, solved | {"penalty": penalty}


def main():
    work, trials = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    print("  d   s noise   m  " + "  ".join(METHODS) + "  penalty  proved  nodes: median   99 %")
    points = []
    for d, s, noise, m in (map(float, word.split(",")) for word in sys.argv[3:]):
        share, solved = shares(int(d), int(s), noise, int(m), trials, work)
        if (d, s, noise) == SHOWN:
            points += [f"{name},{m / d:g},{100 * share[name]:g}" for name in METHODS]
        print(
            f"{d:3g} {s:3g} {noise:5g} {m:3g}  "
            + "  ".join(f"{100 * share[name]:{len(name)}.0f}" for name in METHODS)
            + f"  {solved['penalty']:7g}  {solved['proved_optimal']:6d}"
            + f"  {solved['nodes_median']:13.0f} {solved['nodes_p99']:6.0f}",
            flush=True,
        )
    head = "method,vectors for each number,whole sets right %"
    (work / "crossover.csv").write_text("\n".join([head, *points, ""]))


if __name__ == "__main__":
    main()
