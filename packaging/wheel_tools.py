"""Completes a wheel that auditwheel repaired.

auditwheel moves programs beside the package and puts starters in Python in their place,
because it does not know where the libraries will be, seen from the folder of programs.
Every scheme of installation has one of a few answers: all of them go into the program.

It also leaves out the libraries of X and of XML, because a desktop has them.  A server or a
container has not, and cairo needs them even for files: they are copied beside other libraries.
So is the library of linear programs with what it needs, which is opened by its name.

Usage: wheel_tools.py WHEEL
"""

import ctypes
import pathlib
import re
import shutil
import subprocess
import sys

from auditwheel.wheeltools import InWheelCtx

OF_DESKTOPS = ("libX", "libexpat.")
OPENED = "libClp.so.1"
OF_LINEAR_PROGRAMS = (
    "libClp.", "libCoinUtils.", "liblapack.", "libblas.", "libgfortran.", "libquadmath.",
)  # fmt: skip


def patch(*words: object) -> str:
    """Runs patchelf."""
    return subprocess.run(
        ["patchelf", *map(str, words)], check=True, capture_output=True, text=True
    ).stdout


def opened(name: str) -> str | None:
    """The path of a library that this machine finds by its name."""
    try:
        ctypes.CDLL(name)
    except OSError:
        return None
    maps = pathlib.Path("/proc/self/maps").read_text()
    stem = name.partition(".")[0]
    return next(path for path in re.findall(r"\s(/\S+)$", maps, re.MULTILINE) if stem in path)


def add_libraries(folder: pathlib.Path) -> None:
    """Copies what the libraries in the folder need from this machine, until nothing is missing."""
    renamed = {re.sub("-[0-9a-f]{8}", "", path.name): path.name for path in folder.iterdir()}
    if source := opened(OPENED):
        shutil.copy(source, folder / OPENED)
        patch("--force-rpath", "--set-rpath", "$ORIGIN", folder / OPENED)
    to_read = list(folder.iterdir())
    while to_read:
        reader = to_read.pop()
        found = subprocess.run(["ldd", reader], check=True, capture_output=True, text=True).stdout
        for needed in patch("--print-needed", reader).split():
            copy = folder / needed
            if needed.startswith(OF_DESKTOPS + OF_LINEAR_PROGRAMS) and not copy.exists():
                (source,) = re.findall(rf"^\s*{re.escape(needed)} => (\S+)", found, re.MULTILINE)
                shutil.copy(source, copy)
                patch("--force-rpath", "--set-rpath", "$ORIGIN", copy)
                to_read.append(copy)
            for old, new in renamed.items():
                if new != old and old.startswith(needed):
                    patch("--replace-needed", needed, new, reader)


wheel = pathlib.Path(sys.argv[1]).resolve()
tag = wheel.name.split("-")[2]  # cp311
version = f"{tag[2]}.{tag[3:]}"
with InWheelCtx(wheel, wheel) as context:
    root = pathlib.Path(context.path)
    (scripts,) = root.glob("*.data/scripts")
    (added,) = root.glob("*.libs")
    add_libraries(added)
    packages = [
        f"$ORIGIN/../{lib}/python{version}/{folder}"
        for lib in ("lib", "lib64")
        for folder in ("site-packages", "dist-packages")
    ]
    rpath = ":".join(
        f"{p}/{name}" for p in [*packages, "$ORIGIN/.."] for name in (added.name, "oa")
    )
    for moved in root.glob("*.scripts"):  # if a tool itself needs an added library
        for tool in moved.iterdir():
            shutil.move(tool, scripts / tool.name)
        moved.rmdir()
    for tool in scripts.iterdir():
        patch("--force-rpath", "--set-rpath", rpath, tool)
