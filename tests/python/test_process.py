"""Signals, threads, processes and memory."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

import oa
from conftest import rounds

HARD = np.random.default_rng(3).normal(size=(400, 400))
# How late Ctrl-C may be; 0.2 s with QUIET=1, where nothing else runs.
LATE = 0.2 if os.environ.get("QUIET") else 3.0
LONG: dict[str, Any] = {"solver": "sa", "time_limit": 60.0}


def interrupt_after(seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.parametrize("solver", ["auto", "exact", "sa", "tabu"])
def test_ctrl_c(solver: str) -> None:
    interrupt_after(0.5)
    begin = time.monotonic()
    q = HARD if solver != "exact" else HARD[:120, :120]
    with pytest.raises(KeyboardInterrupt):
        oa.solve(q, solver=solver, time_limit=60.0)
    assert time.monotonic() - begin < 0.5 + LATE


@pytest.mark.parametrize("work", ["batch", "calls"])
def test_ctrl_c_of_many(work: str) -> None:
    j = np.broadcast_to((HARD + HARD.T)[:60, :60], (2000, 60, 60)).astype(np.float32)
    h = np.random.default_rng(5).normal(size=(2000, 8, 60)).astype(np.float32)
    interrupt_after(0.5)
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        if work == "batch":
            oa.solve_batch(j, h, solver="sa", reads=2000)
        else:
            while True:
                oa.solve(HARD[:12, :12])
    assert time.monotonic() - begin < 0.5 + LATE


def test_handlers_that_do_not_raise() -> None:
    seen = []
    before = signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
    try:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        found = oa.solve(HARD, solver="sa", time_limit=0.6)
        assert seen == [1] and found.status == "stopped"
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_ctrl_c_with_a_search_in_a_thread(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "s.py"
    script.write_text(
        "import concurrent.futures, numpy as np, oa\n"
        "q = np.random.default_rng(3).normal(size=(400, 400))\n"
        "with concurrent.futures.ThreadPoolExecutor() as pool:\n"
        "    f = pool.submit(oa.solve, q, solver='sa', time_limit=60.0)\n"
        "    print('begun', flush=True)\n"
        "    try:\n"
        "        f.result()\n"
        "    except KeyboardInterrupt:\n"
        "        oa.stop()\n"
        "print(f.result().status)\n"
    )
    child = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "begun\n"
    time.sleep(0.5)
    begin = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=30)[0] == "stopped\n"
    assert time.monotonic() - begin < 5.0


def test_the_interpreter_ends_while_a_thread_searches(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "s.py"
    script.write_text(
        "import threading, numpy as np, oa\n"
        "q = np.random.default_rng(3).normal(size=(400, 400))\n"
        "threading.Thread(target=oa.solve, args=(q,),\n"
        "                 kwargs={'solver': 'sa', 'time_limit': 60.0}).start()\n"
        "print('begun', flush=True)\n"
    )
    begin = time.monotonic()
    subprocess.run([sys.executable, script], check=True, timeout=50)
    assert time.monotonic() - begin < 30.0


def test_trace() -> None:
    told: list[tuple[str, float, float]] = []

    def trace(what: str, value: float, seconds: float) -> None:
        told.append((what, value, seconds))

    found = oa.solve(HARD[:100, :100], solver="tabu", trace=trace)
    energies = [value for what, value, _ in told if what == "energy"]
    assert energies == sorted(energies, reverse=True)
    assert energies[-1] == pytest.approx(found.energy)
    assert [s for _, _, s in told] == sorted(s for _, _, s in told)


def test_trace_stops_the_search() -> None:
    found = oa.solve(HARD, trace=lambda what, value, seconds: True, **LONG)
    assert found.status == "stopped" and found.seconds < 20.0

    def stop(what: str, value: float, seconds: float) -> None:
        raise StopIteration

    assert oa.solve(HARD, trace=stop, **LONG).status == "stopped"


def test_trace_that_fails() -> None:
    def fail(what: str, value: float, seconds: float) -> None:
        raise RuntimeError("of the trace")

    with pytest.raises(RuntimeError, match="of the trace"):
        oa.solve(HARD, trace=fail, **LONG)


def test_threads() -> None:
    q = HARD[:50, :50]
    expected = oa.solve(q, solver="sa", threads=1)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda k: oa.solve(q, solver="sa", threads=1 + k % 2), range(40)):
            assert found.energy == expected.energy and (found.x == expected.x).all()


def test_other_threads_run_meanwhile() -> None:
    count = 0
    done = threading.Event()

    def work() -> None:
        oa.solve(HARD, solver="sa", time_limit=0.5)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.005):
        count += 1
    thread.join()
    assert count > 10


def test_fork() -> None:
    q = HARD[:50, :50]
    expected = oa.solve(q, solver="sa").energy
    child = os.fork()
    if child == 0:
        os._exit(0 if oa.solve(q, solver="sa").energy == expected else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert oa.solve(q, solver="sa").energy == expected


def resident() -> int:
    """Memory of this process, in bytes."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_memory_does_not_grow() -> None:
    q = np.array([[-1.0, 2.0, 0.0], [0.0, -1.0, 2.0], [0.0, 0.0, -1.0]])

    def calls(count: int) -> None:
        for _ in range(count):
            oa.solve(q)
            oa.solve({("a", "b"): 1.0}, {"a": -1.0})

    calls(1000)
    before = resident()
    calls(rounds(5000, 500_000))
    assert resident() - before < 4 << 20


@pytest.mark.parametrize("kind", ["int8", "int16", "float32", "float64"])
def test_large_symmetric_matrices_are_not_copied(tmp_path: pathlib.Path, kind: str) -> None:
    n = rounds(4000, 20000 if kind in ("int8", "int16") else 8000)
    script = tmp_path / "s.py"
    script.write_text(
        "import numpy as np, oa, re, sys\n"
        f"n, kind = {n}, '{kind}'\n"
        "q = np.random.default_rng(1).integers(-3, 4, (n, n), dtype=np.int8)\n"
        "upper = np.triu(q, 1); q = upper + upper.T; del upper\n"
        "np.fill_diagonal(q, 2)\n"
        "q = q if kind == 'int8' else q.astype(kind)\n"
        "if kind != 'int8': q[0, 1] = q[1, 0] = 200.5 if 'float' in kind else 200\n"
        "if kind == 'float64': q[0, 2] = q[2, 0] = 0.1\n"
        "if kind == 'int16': q[0, 1] = q[1, 0] = 200\n"
        "oa.solve([[1]], solver='greedy')\n"
        "peak = lambda: int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
        "open('/proc/self/clear_refs', 'w').write('5')\n"
        "before = peak()\n"
        "oa.solve(q, solver='greedy', threads=1)\n"
        "print((peak() - before) * 1024, q.nbytes)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    grown, size = map(int, done.stdout.split())
    assert grown < 0.1 * size + (6 << 20)


def test_a_problem_keeps_its_numbers() -> None:
    q = HARD + HARD.T
    x = np.ones(len(q), dtype=np.int8)
    before = q.copy()
    problem = oa.Problem(q)
    energy = problem.energy(x)
    assert oa.solve(q, solver="sa").energy == oa.solve(problem, solver="sa").energy
    assert (q == before).all()
    q[:] = 0
    assert problem.energy(x) == energy
