#!/bin/sh
# All tests under the address, undefined behaviour and thread sanitizers, then most
# under valgrind.  Prints failures, then a table.
# Usage: sanitize.sh BUILD JOBS, a release build with tests
set -u
cd "$(dirname "$0")/.." || exit 99
build=$1
jobs=$2
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

row() { printf '| %-10s | %6s | %7s | %6s |\n' "$@"; }
{
  row under passed skipped failed
  row --- --- --- ---
} >"$dir/table"
bad=0

for preset in asan tsan; do
  cmake --preset $preset && cmake --build build/$preset --parallel "$jobs" || exit 99
  ctest --preset $preset -j "$jobs" >"$dir/log" || bad=1
  cat "$dir/log"
  skipped=$(grep -c '(Skipped)$' "$dir/log")
  # "100% tests passed, 0 tests failed out of 516"
  sed -n 's/.* \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$dir/log" |
    while read -r failed all; do
      row $preset $((all - failed - skipped)) "$skipped" "$failed"
    done >>"$dir/table"
done

tests/valgrind.sh "$build" "$jobs" >"$dir/log" || bad=1
cat "$dir/log"
# "90 passed, 2 skipped, 0 failed, 1234 processes, 0 with findings"
sed -n 's/^\([0-9]*\) passed, \([0-9]*\) skipped, \([0-9]*\) failed,.*/\1 \2 \3/p' "$dir/log" |
  while read -r passed skipped failed; do
    row valgrind "$passed" "$skipped" "$failed"
  done >>"$dir/table"
cat "$dir/table"
[ $bad = 0 ]
