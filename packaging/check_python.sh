#!/bin/sh
# Installs the wheel in dist/ into a virtual environment under build/ and tests it there.
# Usage: check_python.sh [WORDS FOR PYTEST]
set -eu
python=${PYTHON:-python3}
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
env=build/python/test-$version
[ -x "$env/bin/python" ] || "$python" -m venv "$env"
"$env/bin/pip" install -q -r python/requirements-test.txt
# Kaiwu's plugin names versions of packages that it works without.
"$env/bin/pip" install -q torch==2.13.0 && "$env/bin/pip" install -q --no-deps kaiwu-torch-plugin ||
  echo 'no PyTorch: the tests that need it are skipped'
"$env/bin/pip" install -q --no-deps --force-reinstall \
  dist/oa_tools-*-cp"$(echo "$version" | tr -d .)"-*.whl
PATH=$PWD/$env/bin:$PATH
unset PYTHONPATH
# The packed sources are complete; files of the repository that they lack are printed.
tar tzf dist/oa_tools-*.tar.gz | sed 's,[^/]*/,,' >"$env/packed"
git ls-files -- ':!.ci' ':!.github' 2>"$env/log" | grep -vxFf "$env/packed" && exit 1
ruff check packaging python tests/python examples/08-python examples/09-torch
ruff format --check packaging python tests/python examples/08-python examples/09-torch
mypy
cd tests/python
pytest -q --doctest-modules --doctest-ignore-import-errors --pyargs oa . "$@"
cd ../..
rm -rf "$env/html"
packaging/html_python.sh "$env/html" "$env/bin/python"
grep -q 'id="solve"' "$env/html/python/oa.html"
sh tests/check/example.sh examples/08-python "$env/bin"
! "$env/bin/python" -c 'import torch' || sh tests/check/example.sh examples/09-torch "$env/bin"
