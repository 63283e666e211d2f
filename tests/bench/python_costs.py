"""What the Python package costs beside the tools.

Usage: python_costs.py STREAM [IMAGES]

STREAM has problems of oa-qubo(1); IMAGES (10,000) of them are solved.  Run it where nothing else
runs.  Times of batches are those of one thread.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time

import numpy as np

import oa


def imported() -> float:
    """Milliseconds of `import oa` beyond those of a Python with numpy; the median of 7."""
    code = "import time; a = time.perf_counter(); import oa; print(time.perf_counter() - a)"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(7)
    ]
    return 1e3 * statistics.median(float(run.stdout) for run in runs)


def single() -> float:
    """Microseconds of a problem of 3 variables; the median of 5 times 4000 calls."""
    q = np.array([[-1.0, 2.0, 0.0], [0.0, -1.0, 2.0], [0.0, 0.0, -1.0]])
    rounds = []
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(4000):
            oa.solve(q)
        rounds.append((time.perf_counter() - begin) / 4000)
    return 1e6 * statistics.median(rounds)


def interrupted(times: int = 5) -> float:
    """The longest time from Ctrl-C to its exception, in milliseconds."""
    q = np.random.default_rng(3).normal(size=(400, 400))
    worst = 0.0
    for _ in range(times):
        sent = []

        def send(sent: list[float] = sent) -> None:
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        threading.Timer(0.3, send).start()
        try:
            oa.solve(q, solver="sa", time_limit=20)
        except KeyboardInterrupt:
            worst = max(worst, time.perf_counter() - sent[0])
    return 1e3 * worst


def batches(path: str, images: int) -> None:
    """The same problems by solve_batch and by oa-anneal, in turns."""
    frames = list(itertools.islice(oa.stream(path), images))
    j = np.stack([frame["J"] for frame in frames])
    h = np.stack([frame["h"] for frame in frames])
    with tempfile.TemporaryDirectory() as folder:
        part = os.path.join(folder, "part.oa")
        oa.write_stream(part, frames)
        anneal = os.path.join(sysconfig.get_path("scripts"), "oa-anneal")
        words = [anneal, "-j", "1", "--json", part, "-o", os.path.join(folder, "solved.oa")]
        for _ in range(2):
            begin = time.perf_counter()
            b = oa.solve_batch(j, h, threads=1)
            python = time.perf_counter() - begin
            begin = time.perf_counter()
            done = subprocess.run(words, capture_output=True, text=True, check=True)
            tool = time.perf_counter() - begin
            report = json.loads(done.stderr)
            print(
                f"{b.energy.size} problems: solve_batch {python:.2f} s, oa-anneal {tool:.2f} s, "
                f"ratio {python / tool:.3f}; {b.proved.sum()} proved; {report}"
            )


if __name__ == "__main__":
    print(f"import: {imported():.0f} ms")
    print(f"3 variables: {single():.1f} us")
    print(f"Ctrl-C: {interrupted():.0f} ms")
    batches(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
