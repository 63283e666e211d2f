"""Completes a wheel that auditwheel repaired.

auditwheel moves programs beside the package and puts starters in Python in their place,
because it does not know where the libraries will be, seen from the folder of programs.
Every scheme of installation has one of a few answers: all of them go into the program.

It also leaves out the libraries of X and of XML, because a desktop has them.  A server or a
container has not, and cairo needs them even for files: they are copied beside other libraries.

Usage: wheel_tools.py WHEEL
"""

import pathlib
import re
import shutil
import subprocess
import sys

from auditwheel.wheeltools import InWheelCtx

OF_DESKTOPS = ("libX", "libexpat.")


def patch(*words: object) -> str:
    """Runs patchelf."""
    return subprocess.run(
        ["patchelf", *map(str, words)], check=True, capture_output=True, text=True
    ).stdout


def add_libraries_of_desktops(folder: pathlib.Path) -> None:
    """Copies what the libraries in the folder need from this machine, until nothing is missing."""
    renamed = {re.sub("-[0-9a-f]{8}", "", path.name): path.name for path in folder.iterdir()}
    to_read = list(folder.iterdir())
    while to_read:
        reader = to_read.pop()
        found = subprocess.run(["ldd", reader], check=True, capture_output=True, text=True).stdout
        for needed in patch("--print-needed", reader).split():
            copy = folder / needed
            if needed.startswith(OF_DESKTOPS) and not copy.exists():
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
    (moved,) = root.glob("*.scripts")
    (scripts,) = root.glob("*.data/scripts")
    (added,) = root.glob("*.libs")
    add_libraries_of_desktops(added)
    packages = [
        f"$ORIGIN/../{lib}/python{version}/{folder}"
        for lib in ("lib", "lib64")
        for folder in ("site-packages", "dist-packages")
    ]
    rpath = ":".join(
        f"{p}/{name}" for p in [*packages, "$ORIGIN/.."] for name in (added.name, "oa")
    )
    for tool in moved.iterdir():
        shutil.move(tool, scripts / tool.name)
        patch("--force-rpath", "--set-rpath", rpath, scripts / tool.name)
    moved.rmdir()
