"""The matrix of limits, of whole runs of oa-anneal; oa-stops counts operations of solvers.

    python3 tests/limits.py [-l SECONDS] [-s SOLVER,...] [-j THREADS] TOOLS [PROBLEM...]

Every solver on sparse and dense problems of 100 to 20,000 variables and on one of 10^7 couplings,
with a time limit, with SIGINT and with SIGTERM; then `auto` on the public problems in the folder
OA_SHARED, if there is one.  Prints by how many seconds each ended late, from the start of the
process to its end and beyond what reading takes, and the worst ratio to the limit.  Status 1 if one
is later than the limit by more than 10 % and 1 s, or later than 1 s after a signal, or ends in
another way.  "early": it ended long before its limit and proved nothing; "-": before the signal.

Problems are d100, d1000, ...: dense; s100, ...: sparse; m10: 10^7 couplings; or paths of files.
"""

import argparse
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

SOLVERS = "auto,exact,sa,pt,tabu,sb,sb-discrete,cim,cim-control,admm,greedy"
PROBLEMS = "d100 s100 d1000 s1000 d10000 s10000 d20000 s20000 m10".split()
WAYS = {"limit": None, "SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM}
TRIES = 3  # the best of this many counts: other work takes time, too
PATIENCE_S = 20  # after which a run is killed
MEMORY = 8 << 30  # more is a finding, and would disturb other programs

parser = argparse.ArgumentParser()
parser.add_argument("-l", dest="limit", type=float, default=1.0)
parser.add_argument("-s", dest="solvers", default=SOLVERS)
parser.add_argument("-j", dest="threads", default="")
parser.add_argument("tools", type=pathlib.Path)
parser.add_argument("problems", nargs="*")
options = parser.parse_args()
resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def public_problems():
    shared = pathlib.Path(os.environ.get("OA_SHARED", "/nowhere"))
    found = [*shared.glob("instances/*[!d]"), *shared.glob("qoblib/*/*.qs.xz")]
    return [str(path) for path in sorted(found) if path.is_file()]


def write_matrix(path, n):
    """Whole numbers from -100 to 100 on the diagonal and above, as .npy of int8."""
    matrix = np.random.default_rng(1).integers(-100, 101, (n, n), np.int8)
    with open(path, "wb") as file:
        np.save(file, np.triu(matrix))


def write_graph(path, n, couplings):
    """Edges of weight 1 and -1 anywhere, as a Gset file."""
    rng = np.random.default_rng(1)
    i = rng.integers(n, size=couplings)
    k = (i + rng.integers(1, n, couplings)) % n
    edges = np.stack((i + 1, k + 1, rng.choice((-1, 1), couplings)), axis=1)
    np.savetxt(path, edges, "%d", header=f"{n} {couplings}", comments="")


class Problem:
    """A file, the words that read it, and the words of a run that only reads."""

    def __init__(self, name, folder):
        self.name = pathlib.Path(name).name
        self.public = "/" in name
        self.path = pathlib.Path(name) if self.public else folder / name
        self.words = [self.path]
        self.only_read = ["--solver", "greedy"]
        if not self.public:
            dense = name[0] == "d"
            n = 1_000_000 if name == "m10" else int(name[1:])
            if dense:
                write_matrix(self.path, n)
            else:
                write_graph(self.path, n, 10_000_000 if name == "m10" else 4 * n)
            zeros = folder / "zeros"
            zeros.write_text(json.dumps({"energy": 0, "x": [0 if dense else -1] * n}) + "\n")
            self.words += ["--format=npy" if dense else "--format=gset"]
            self.only_read = ["--verify", zeros]


def started(problem, *words):
    threads = [f"-j{options.threads}"] if options.threads else []
    command = [options.tools / "oa-anneal", "-q", *threads, *words, *problem.words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def read_time(problem):
    """The time to start and read; none if the file is refused."""
    times = []
    for _ in range(TRIES):
        begin = time.monotonic()
        run = started(problem, *problem.only_read)
        run.communicate()
        times.append(time.monotonic() - begin)
        if run.returncode != 0:
            return None
    return min(times)


def run_once(problem, solver, number, read_s):
    """By how many seconds it ended late, how if not as expected, and the process and its output."""
    begin = time.monotonic()
    run = started(problem, "--solver", solver, "--time-limit", str(1000 if number else options.limit))
    if number:
        time.sleep(read_s + options.limit)
        begin = time.monotonic()
        run.send_signal(number)
    due = 0.0 if number else read_s + options.limit
    try:
        out, err = run.communicate(timeout=due + PATIENCE_S)
    except subprocess.TimeoutExpired:
        run.kill()
        run.communicate()
        return 0.0, "killed", run, ""
    over = time.monotonic() - begin - due
    how = "" if run.returncode in (0, 130 if number else 0) else f"status {run.returncode}"
    if run.returncode == 3 or "are too many" in err:
        how = "refused"
    elif not how and not out.startswith("{"):
        how = "no answer"
    return over, how, run, out


def cell_of(problem, solver, number, read_s):
    """The best of some tries: seconds and, in words, what is special."""
    most = 1.0 if number else 1.0 + 0.1 * options.limit
    times = []
    for _ in range(TRIES):
        over, how, run, out = run_once(problem, solver, number, read_s)
        if not how:
            times.append(over)
            # A second late is more than noise.
            if not most < min(times) < most + 1:
                break
        elif how != "no answer":  # which means that reading took longer than before
            break
    if not times:
        return None, how if how == "refused" else how + " !"
    if min(times) > most:
        return min(times), "!"
    if number and run.returncode == 0:
        return None, "-"
    early = not number and min(times) < -0.1 * options.limit
    return min(times), "early" if early and '"proved_optimal":false' in out else ""


def main():
    said = []
    unread, worst = 0, (0.0, "")
    print("seconds late: allowed are", 1 + 0.1 * options.limit, "after a limit of", options.limit,
          "s, 1 after a signal")
    print("| problem | read | solver | limit | SIGINT | SIGTERM |\n| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.problems or [*PROBLEMS, *public_problems()]:
            problem = Problem(name, pathlib.Path(folder))
            read_s = read_time(problem)
            if read_s is None:
                print(f"| {problem.name} | not read | | | | |")
                unread += problem.public
                said += [] if problem.public else ["not read !"]
                continue
            for solver in ["auto"] if problem.public else options.solvers.split(","):
                cells = []
                for way, number in WAYS.items():
                    late, words = cell_of(problem, solver, number, read_s)
                    said.append(words)
                    cells.append(f"{words}" if late is None else f"{late:.3f} {words}".strip())
                    if way == "limit" and late is not None:
                        ratio = 1 + late / options.limit
                        worst = max(worst, (ratio, f"{problem.name} with {solver}"))
                print(f"| {problem.name} | {read_s:.3f} | {solver} |", " | ".join(cells), "|", flush=True)
            if not problem.public:
                problem.path.unlink()
    bad = sum(words.endswith("!") for words in said)
    print(f"{bad} late or wrong, {said.count('refused')} refused, {said.count('early')} early,",
          unread, "not read")
    print(f"worst ratio of the time beyond reading to the limit: {worst[0]:.3f} ({worst[1]})")
    sys.exit(bad > 0)


main()
