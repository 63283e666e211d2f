#!/bin/sh
# Makes Debian packages of a build in dist/.  python3-oa is one of them if nanobind, which
# Debian lacks, is here or can be had.  Usage: deb.sh BUILD
set -eu
build=$1
rm -f dist/python3-oa_*.deb
version=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
env=build/python/build-$version
[ -x "$env/bin/python" ] || /usr/bin/python3 -m venv "$env"
if "$env/bin/pip" install -q -r python/requirements-build.txt; then
  cmake -S . -B "$build" -DOA_PYTHON=ON -DPython_EXECUTABLE="$PWD/$env/bin/python" >/dev/null
  cmake --build "$build" --target oa_python_types
else
  echo 'no nanobind: without python3-oa'
  cmake -S . -B "$build" -DOA_PYTHON=OFF >/dev/null
fi
cpack --config "$build/CPackConfig.cmake" -B dist
rm -r dist/_CPack_Packages
