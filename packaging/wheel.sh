#!/bin/sh
# Builds the Python package with the tools as a wheel in dist/: for the Python that PYTHON names
# (python3), on any Linux whose glibc is not older than the one here.  FIGURES=ON adds oa-heatmap with
# cairo and X11.  Packs the sources beside it, as pip takes them.
# Usage: wheel.sh BUILD [OPTIONS OF PIP]
set -eu
build=$1
shift
python=${PYTHON:-python3}
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
env=build/python/build-$version
[ -x "$env/bin/python" ] || "$python" -m venv "$env"
"$env/bin/pip" install -q -r python/requirements-build.txt
PATH=$PWD/$env/bin:$PATH
made=build/python/wheel-$version
rm -rf "$made"
pip wheel -q . --no-deps --no-build-isolation -w "$made" --config-settings=build-dir="$build" \
  --config-settings=cmake.define.OA_FIGURES="${FIGURES:-OFF}" "$@"
mkdir -p dist
rm -f dist/oa_tools-*-cp"$(echo "$version" | tr -d .)"-*.whl
auditwheel repair --strip --exclude liboa-tools.so --exclude liboa-survey.so -w dist "$made"/*.whl >"$made/log" 2>&1 || { cat "$made/log"; exit 1; }
python packaging/wheel_tools.py dist/oa_tools-*-cp"$(echo "$version" | tr -d .)"-*.whl
rm -f dist/oa_tools-*.tar.gz
python -c 'from scikit_build_core.build import build_sdist; build_sdist("dist")' >"$made/log"
ls -l dist/oa_tools-*.tar.gz dist/oa_tools-*-cp"$(echo "$version" | tr -d .)"-*.whl
