#!/bin/sh
# The reference of the Python package, from its docstrings by pdoc, beside the HTML manual: names of
# manual pages are links, and oa-python(7) has a link to the reference.
# Usage: html_python.sh FOLDER [PYTHON]; without PYTHON, the wheel in dist/ is documented
set -eu
to=$1
python=${2-}
if [ -z "$python" ]; then
  env=build/python/html
  [ -x "$env/bin/python" ] || python3 -m venv "$env"
  python=$env/bin/python
  "$python" -m pip install -q pdoc numpy dimod kaiwu-community 'ommx<3' torch==2.13.0
  "$python" -m pip install -q --no-deps --force-reinstall \
    dist/oa_tools-*-cp"$("$python" -c 'import sys; print("%d%d" % sys.version_info[:2])')"-*.whl
fi
modules=$("$python" - <<'END'
import importlib

for name in ("oa", "oa.dimod", "oa.kaiwu", "oa.ommx", "oa.torch"):
    try:
        importlib.import_module(name)
        print(name)
    except ImportError:
        pass
END
)
rm -rf "$to/python"
# shellcheck disable=SC2086 # names are wanted
"$python" -m pdoc -d numpy --no-show-source -t packaging/pdoc -o "$to/python" $modules
links=$(mktemp)
trap 'rm -f "$links"' EXIT
for page in man/*.[1-8]; do
  page=${page#man/}
  printf 's#\\b%s(%s)#<a href="@%s.html">&</a>#g\n' "${page%.*}" "${page##*.}" "$page"
done >"$links"
find "$to/python" -name '*.html' | while read -r file; do
  inside=${file#"$to/"}
  up=$(echo "$inside" | sed 's#[^/]*/#../#g; s#[^/]*$##')
  sed -i -f "$links" "$file"
  sed -i "s#href=\"@#href=\"$up#g" "$file"
done
if [ -e "$to/oa-python.7.html" ]; then
  sed -i 's#<main class="manual-text">\|<div class="manual-text">#&<p><a href="python/oa.html">All functions</a></p>#' \
    "$to/oa-python.7.html"
fi
