"""Problems of problems.py: written, and results of oa-anneal compared; see README.md.

    families.py make NAME >FILE        the problem, in the qubo format
    families.py known NAME...          the best value by other means, in the original space
    families.py check NAME <RESULT     the value in the original space, or infeasible
    families.py table KNOWN PROFILE FOLDER SOLVERS NAMES
                                       results FOLDER/NAME.SOLVER.SEED.json beside known values
"""

import functools
import json
import math
import pathlib
import sys

from problems import KINDS
from qubo import Random


@functools.cache
def instance(name):
    """KIND-SIZE-SEED, or mimo-USERS-16qam-15db-SEED."""
    kind, size, *others, _ = name.split("-")
    return KINDS[kind](Random(name), int(size), *others)


def known_values(file):
    return {name: float(value) for name, value, *_ in map(str.split, file)}


def gap(problem, value, known):
    """How much worse than the known value; infinite if infeasible."""
    if value is None:
        return math.inf
    difference = known - value if problem.largest else value - known
    return 100 * difference / abs(known) if problem.percent else difference


def cell(problem, results, known):
    gaps = [gap(problem, problem.read(r["x"]), known) for r in results]
    feasible = [g for g in gaps if g < math.inf]
    proved = sum(r["proved_optimal"] for r in results)
    if not feasible:
        return gaps, f"- - 0 {proved}"
    return gaps, f"{sum(feasible) / len(feasible):.4g} {max(feasible):.4g} {len(feasible)} {proved}"


def table(known_file, profile, folder, solvers, names):
    """A cell has the mean and worst gap of feasible runs, their number, and proofs."""
    known = known_values(open(known_file))
    all_gaps = {s: [] for s in solvers}
    print(f"{'gap: mean, worst; feasible, proved':36}", *(f"{s:>22}" for s in solvers))
    for name in names:
        problem, cells = instance(name), []
        for solver in solvers:
            files = sorted(pathlib.Path(folder).glob(f"{name}.{solver}.*.json"))
            gaps, text = cell(problem, [json.loads(f.read_text()) for f in files], known[name])
            # In the figure, differences count as found or not.
            if not problem.percent:
                gaps = [0 if g <= 0 else math.inf for g in gaps]
            all_gaps[solver] += gaps
            cells.append(f"{text:>22}")
        print(f"{name:23} {known[name]:10.7g} {'%' if problem.percent else ' '}", *cells)
    with open(profile, "w") as out:
        print("solver,% of the known value,runs within it", file=out)
        for solver, gaps in all_gaps.items():
            for power in range(-24, 17):
                most = 10 ** (power / 8)
                within = sum(g <= most for g in gaps) / max(1, len(gaps))
                print(f"{solver},{most:.4g},{within:.4f}", file=out)


def main(verb, *arguments):
    if verb == "make":
        q, n = instance(*arguments).qubo()
        q.write(n)
    elif verb == "known":
        for name in arguments:
            value, means = instance(name).known()
            print(name, repr(value), means, flush=True)
    elif verb == "check":
        value = instance(*arguments).read(json.load(sys.stdin)["x"])
        print("infeasible" if value is None else value)
    elif verb == "table":
        known_file, profile, folder, solvers, names = arguments
        table(known_file, profile, folder, solvers.split(), names.split())
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:] or [""])
