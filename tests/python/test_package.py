"""What the package promises of itself."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import sysconfig

import numpy as np
import pytest

import oa
from conftest import run


def test_names() -> None:
    assert set(oa.__all__) <= set(dir(oa))
    for name in oa.__all__:
        assert getattr(oa, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        oa.nonsense  # noqa: B018


def test_results_are_shown_in_one_line() -> None:
    large = np.random.default_rng(1).normal(size=(300, 300))
    shown = repr(oa.solve(large, solver="sa", reads=1))
    assert shown.startswith("<oa.Result: energy -") and "best found, 300 variables" in shown
    assert "bound -" in shown and len(shown) < 150
    assert "bound" not in repr(oa.solve([[1.0]]))
    batch = oa.solve_batch([[2, 1], [1, 2]], [[-2, -3], [1, -1.5]])
    assert repr(batch) == "<oa.Batch: 2 problems of 2 variables, 2 proved, 0 stopped>"
    assert (
        repr(oa.sample([[1.0]], samples=4, beta=1))
        == "<oa.Samples: 4 states of 1 variables, exact>"
    )


def test_version_is_that_of_the_tools() -> None:
    assert run("oa-anneal", "--version").stdout.split()[1] == oa.__version__


def test_tools_of_the_wheel_are_programs() -> None:
    folder = pathlib.Path(sysconfig.get_path("scripts"))
    tools = sorted(path.name for path in folder.glob("oa-*"))
    if not tools:
        pytest.skip("not installed from a wheel")
    assert {"oa-anneal", "oa-qubo", "oa-score", "oa-train", "oa-view"} <= set(tools)
    for tool in tools:
        path = folder / tool
        assert path.read_bytes()[:4] == b"\x7fELF", tool
        done = subprocess.run([path, "--version"], capture_output=True, text=True, cwd="/")
        assert done.returncode == 0 and oa.__version__ in done.stdout, done.stderr


def test_libraries_of_the_wheel(rng: np.random.Generator) -> None:
    folder = pathlib.Path(oa.__file__).parent.parent / "oa_tools.libs"
    if not (folder / "libClp.so.1").exists():
        pytest.skip("not installed from a wheel")
    if not (pathlib.Path(sysconfig.get_path("scripts")) / "oa-heatmap").exists():
        for name in ("libcairo", "libX11", "libicudata", "libxml2"):
            assert not list(folder.glob(f"{name}*"))
    weights = {}
    for i, j in np.ndindex(14, 14):
        for other in (((i + 1) % 14, j), (i, (j + 1) % 14)):
            weights[(i, j), other] = float(rng.choice([-1, 1]))
    assert oa.solve(weights, vartype="spin").proved_by == "cuts"
    used = [x for x in pathlib.Path("/proc/self/maps").read_text().splitlines() if "libClp" in x]
    assert used and all(str(folder) in line for line in used)


def test_import_is_quick() -> None:
    script = (
        "import time, numpy; a = time.process_time(); import oa; print(time.process_time() - a)"
    )
    times = [
        float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                             check=True, env=os.environ).stdout)
        for _ in range(3)
    ]  # fmt: skip
    assert min(times) < 0.1
