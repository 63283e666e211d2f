"""Solves the problem files of a folder, and writes what QOBLIB takes as a submission.

QOBLIB is the Quantum Optimization Benchmarking Library (github.com/ZIB-AOPT/QOBLIB).  Each folder
of DATA is a class, each file in it an instance.  The result is

    OUT/CLASS/DATE_oa-anneal_SUBMITTER/INSTANCE/INSTANCE_summary.csv
    OUT/CLASS/DATE_oa-anneal_SUBMITTER/INSTANCE/INSTANCE_solution.sol

with the rows of a class in OUT/CLASS/summary.csv.  Instances that have a summary are not solved
again.  Nothing is sent.

Usage: qoblib.py TOOLS DATA OUT [SECONDS [SUBMITTER [DATE]]]
"""

import bz2
import csv
import datetime
import gzip
import json
import lzma
import math
import os
import pathlib
import re
import resource
import subprocess
import sys
import time
from typing import Any, TextIO

COLUMNS = (
    "Problem,Submitter,Date,Reference,Best Objective Value,Optimality Bound,Modeling Approach,"
    "# Decision Variables,# Binary Variables,# Integer Variables,# Continuous Variables,"
    "# Non-Zero Coefficients,Coefficients Type,Coefficients Range,Workflow,Algorithm Type,"
    "# Runs,# Feasible Runs,# Successful Runs,Success Threshold,Hardware Specifications,"
    "Total Runtime,CPU Runtime,GPU Runtime,QPU Runtime,Other HW Runtime,Remarks"
).split(",")
PROBLEM = re.compile(r"(?:uqo_|bqp_)?(.+?)\.(qs|bq|lp|mps|gph|clq|opb|qubo)(?:\.(?:xz|gz|bz2))?")


def opened(file: pathlib.Path) -> TextIO:
    """The text of a file, which may be compressed."""
    opener: Any = {".xz": lzma.open, ".gz": gzip.open, ".bz2": bz2.open}.get(file.suffix, open)
    text: TextIO = opener(file, "rt")
    return text


def coefficients(file: pathlib.Path) -> tuple[dict[str, Any], str]:
    """The columns about the coefficients of a .qs file, and its comments."""
    comments = []
    numbers = []
    with opened(file) as lines:
        for line in lines:
            if line.startswith("#"):
                comments.append(line)
            else:
                numbers.append(line.split()[-1])
    del numbers[0]  # "variables entries"
    values = [float(number) for number in numbers]
    whole = all(value.is_integer() for value in values)
    return {
        "# Non-Zero Coefficients": len(values),
        "Coefficients Type": "Integer" if whole else "Continuous",
        "Coefficients Range": f"{min(values):.17g} - {max(values):.17g}" if values else "N/A",
    }, "".join(comments)


def processor() -> str:
    """The name of the processor, with the number of its threads."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    name = re.search(r"model name\s*: (.*)", text)
    return f"{name[1] if name else 'unknown processor'}, {os.cpu_count()} threads"


def solve(tool: pathlib.Path, seconds: str, file: pathlib.Path, to: pathlib.Path) -> dict[str, Any]:
    """The result of oa-anneal, with the seconds of the clock and of the processor."""
    command = [str(tool), "-q", "--time-limit", seconds, "--solution", str(to), str(file)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    clock = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not run.stdout:
        sys.exit(run.stderr.strip())
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    result: dict[str, Any] = json.loads(run.stdout)
    return result | {"clock": round(clock, 6), "cpu": round(cpu, 6)}


def solution(result: dict[str, Any], comments: str) -> str:
    """The values of a .qs file; of LABS, which has n (n + 1) / 2 variables, the n spins."""
    if "# var z[<i, k>" in comments:
        length = (math.isqrt(8 * result["variables"] + 1) - 1) // 2
        return "".join(map(str, result["x"][:length])) + "\n"
    return "".join(f"x#{i}  {value}\n" for i, value in enumerate(result["x"], 1))


def row(
    instance: str, file: pathlib.Path, result: dict[str, Any], extra: dict[str, Any]
) -> dict[str, Any]:
    """The columns that a result decides; the sign in `extra` is -1 if the file was negated."""
    digits = sum(" digit " in name for name in result.get("names", []))
    binary = result["variables"] - digits
    integers = len(result.get("values", {}))
    feasible = int(result.get("feasible", True))
    sign = extra.pop("sign")
    best = [result["energy"] if feasible else None, result["bound"]]
    values = ["N/A" if value is None else sign * value for value in best]
    return {
        "Problem": instance,
        "Best Objective Value": values[0],
        "Optimality Bound": values[1],
        "Modeling Approach": f"as in {file.name}",
        "# Decision Variables": binary + integers,
        "# Binary Variables": binary,
        "# Integer Variables": integers,
        "# Continuous Variables": 0,
        "Algorithm Type": "Stochastic",
        "# Runs": 1,
        "# Feasible Runs": feasible,
        "# Successful Runs": feasible,
        "Success Threshold": 0,
        "Total Runtime": result["clock"],
        "CPU Runtime": result["cpu"],
        "Remarks": f"{result['status']}; method {result['method']}, seed {result['seed']}",
    } | extra


def main() -> None:
    """Solves what has no summary yet, and collects the summaries of each class."""
    tools, data, out = map(pathlib.Path, sys.argv[1:4])
    seconds, submitter, date = (sys.argv[4:] + ["60", "oa-tools", ""][len(sys.argv) - 4 :])[:3]
    date = date or datetime.date.today().isoformat()
    tool = tools / "oa-anneal"
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True)
    common = dict.fromkeys(COLUMNS, "N/A") | {
        "Submitter": submitter,
        "Date": date,
        "Reference": version.stdout.split("\n")[0],
        "Workflow": f"oa-anneal --time-limit {seconds}: presolve, structure of the couplings, "
        "annealing, proofs; the energy is computed again exactly",
        "Hardware Specifications": processor(),
    }
    name = f"{date.replace('-', '')}_oa-anneal_{submitter.replace(' ', '-')}"
    for folder in sorted(path for path in data.iterdir() if path.is_dir()):
        rows = []
        for file in sorted(folder.iterdir()):
            match = PROBLEM.fullmatch(file.name)
            if not match:
                continue
            instance = match[1]
            place = out / folder.name / name / instance
            summary = place / f"{instance}_summary.csv"
            if not summary.exists():
                extra: dict[str, Any] = {}
                comments = ""
                if match[2] == "qs":
                    extra, comments = coefficients(file)
                extra["sign"] = -1 if re.search("^# maximize", comments, re.MULTILINE) else 1
                place.mkdir(parents=True, exist_ok=True)
                to = place / f"{instance}_solution.sol"
                result = solve(tool, seconds, file, to)
                if match[2] == "qs":
                    to.write_text(solution(result, comments))
                columns = row(instance, file, result, extra)
                write(summary, [common | columns])
                print(folder.name, instance, columns["Best Objective Value"], result["status"])
            with summary.open(newline="") as text:
                rows += list(csv.DictReader(text))
        if rows:
            write(out / folder.name / "summary.csv", rows)


def write(file: pathlib.Path, rows: list[Any]) -> None:
    """Writes rows as CSV; the file appears whole."""
    part = file.with_suffix(".part")
    with part.open("w", newline="") as text:
        table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    part.replace(file)


main()
