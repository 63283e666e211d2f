"""Makes the tools of a repaired wheel programs again.

auditwheel moves programs beside the package and puts starters in Python in their place,
because it does not know where the libraries will be, seen from the folder of programs.
Every scheme of installation has one of a few answers: all of them go into the program.

Usage: wheel_tools.py WHEEL
"""

import pathlib
import shutil
import subprocess
import sys

from auditwheel.wheeltools import InWheelCtx

wheel = pathlib.Path(sys.argv[1]).resolve()
tag = wheel.name.split("-")[2]  # cp311
version = f"{tag[2]}.{tag[3:]}"
with InWheelCtx(wheel, wheel) as context:
    root = pathlib.Path(context.path)
    (moved,) = root.glob("*.scripts")
    (scripts,) = root.glob("*.data/scripts")
    libraries = [path.name for path in root.glob("*.libs")] + ["oa"]
    packages = [
        f"$ORIGIN/../{lib}/python{version}/{folder}"
        for lib in ("lib", "lib64")
        for folder in ("site-packages", "dist-packages")
    ]
    rpath = ":".join(f"{p}/{name}" for p in [*packages, "$ORIGIN/.."] for name in libraries)
    for tool in moved.iterdir():
        shutil.move(tool, scripts / tool.name)
        subprocess.run(
            ["patchelf", "--force-rpath", "--set-rpath", rpath, scripts / tool.name], check=True
        )
    moved.rmdir()
