#!/bin/sh
# Unit tests, exact arithmetic, golden cases and examples with every instruction set that this
# machine has kernels for, one after another, each with the mathematical functions that the C
# library has for such a processor.  Prints failures, then a table.
# Usage: every_target.sh BUILD JOBS [NAME...], a release build with tests; default: every set
set -u
build=$(cd "$1" && pwd) || exit 99
jobs=$2
shift 2
LD_PRELOAD=$build/tests/liboa-instruction-set.so
export LD_PRELOAD
[ $# -gt 0 ] || {
  # shellcheck disable=SC2046
  set -- $(OA_INSTRUCTION_SET=list "$build/tools/oa-view" --version)
}
[ $# -gt 0 ] || exit 99
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

row() { printf '| %-15s | %6s | %7s | %6s |\n' "$@"; }
{
  row 'instruction set' passed skipped failed
  row --- --- --- ---
} >"$dir/table"
bad=0
for target; do
  case $target in
    AVX*) GLIBC_TUNABLES= ;;
    *) GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4 ;;
  esac
  # oa-bench/instruction-set asks for the best one.
  GLIBC_TUNABLES=$GLIBC_TUNABLES OA_INSTRUCTION_SET=$target ctest --test-dir "$build" -j "$jobs" \
    -L 'unit|prop|cli|example' -E 'oa-bench/instruction-set' --output-on-failure --timeout 600 \
    >"$dir/log" || bad=1
  cat "$dir/log"
  skipped=$(grep -c '(Skipped)$' "$dir/log")
  # "100% tests passed, 0 tests failed out of 516"
  sed -n 's/.* \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$dir/log" |
    while read -r failed all; do
      row "$target" $((all - failed - skipped)) "$skipped" "$failed"
    done >>"$dir/table"
done
cat "$dir/table"
[ $bad = 0 ]
