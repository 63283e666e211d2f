#!/bin/sh
# Runs one golden case in an empty folder: CASE.sh with the tools ($OA_TOOLS) and the
# programs of the tests ($OA_TESTS) on PATH, the functions of shared.sh, the frozen files
# in $DATA and the Python modules of tests/ref; stdout, stderr and status must equal
# CASE.out, CASE.err (missing: empty) and CASE.exit (missing: 0).  A line "..." in an
# expectation means any lines.  ACCEPT=1 rewrites expectations and shows what changed.  A
# case that exits with 77 is skipped and prints the reason.
set -u
case=$1
base=${case%.sh}
shared=$(cd "$(dirname "$0")" && pwd)/shared.sh
dir=$(mktemp -d) || exit 99
trap 'chmod -R u+rwx "$dir"; rm -rf "$dir"' EXIT
PATH=$OA_TOOLS:$OA_TESTS:$PATH LC_ALL=C.UTF-8 CASE_DIR=$(dirname "$case")
DATA=$(cd "$CASE_DIR/../../data" && pwd)
PYTHONPATH=$(cd "$CASE_DIR/../../ref" && pwd) PYTHONDONTWRITEBYTECODE=1
# glibc writes over memory that is given back, and does not hand it out again at once: a
# tool that still reads it fails.
GLIBC_TUNABLES=${GLIBC_TUNABLES:+$GLIBC_TUNABLES:}glibc.malloc.perturb=165:glibc.malloc.tcache_count=0
export PATH LC_ALL CASE_DIR DATA GLIBC_TUNABLES PYTHONPATH PYTHONDONTWRITEBYTECODE
unset NO_COLOR
mkdir "$dir/work"
(cd "$dir/work" && exec sh -uc '. "$0"; . "$1"' "$shared" "$case" >"$dir/out" 2>"$dir/err" </dev/null)
status=$?
if [ $status = 77 ]; then
  cat "$dir/out" "$dir/err"
  exit 77
fi
echo $status >"$dir/exit"

# match EXPECTED ACTUAL: equal, but for "..." lines
match() {
  awk '
    function fits(e, a) {
      while (e <= ne && want[e] != "...") {
        if (a > na || want[e] != have[a]) return 0
        e++; a++
      }
      if (e > ne) return a > na
      for (; a <= na + 1; a++) if (fits(e + 1, a)) return 1
      return 0
    }
    FNR == NR { want[++ne] = $0; next }
    { have[++na] = $0 }
    END { exit !fits(1, 1) }' "$1" "$2"
}

bad=0
for part in out err exit; do
  expected=$base.$part
  if [ ! -e "$expected" ]; then
    expected=$dir/expected
    if [ $part = exit ]; then echo 0; fi >"$expected"
  fi
  # awk cannot tell an empty first file from a missing one
  if { [ -s "$expected" ] && match "$expected" "$dir/$part"; } ||
     { [ ! -s "$expected" ] && [ ! -s "$dir/$part" ]; }; then
    continue
  fi
  diff -u --label "expected $part" --label "actual $part" "$expected" "$dir/$part"
  if [ "${ACCEPT:-}" = 1 ]; then
    cp "$dir/$part" "$base.$part"
  else
    bad=1
  fi
done
exit $bad
