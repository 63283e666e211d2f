#!/bin/sh
# Runs every fuzz target for some seconds: with clang the search of libFuzzer, which
# keeps what it finds in build/fuzz/corpus and prints a table; else random
# mutations.  Both begin with the frozen files of the tests, under the address and
# undefined behaviour sanitizers.
# Usage: fuzz.sh SECONDS JOBS, targets at once
set -eu
seconds=$1
jobs=$2
# Targets write and read files, each flushed to the disk.
if [ -d /dev/shm ]; then
  TMPDIR=/dev/shm
  export TMPDIR
fi

# seeds TARGET: the files of its format, or of all, and what fuzzing has found
seeds() {
  if [ -d "tests/data/$1" ]; then echo "tests/data/$1"; else echo tests/data; fi
  if [ -d "tests/fuzz/corpus/$1" ]; then echo "tests/fuzz/corpus/$1"; fi
}

# row TARGET EXECUTIONS SECONDS DEFECTS; a target ends with the first defect
row() { printf '| %-14s | %10s | %7s | %7s |\n' "$@"; }

search() {
  cmake --preset fuzz
  cmake --build build/fuzz --parallel "$jobs" --target fuzzers
  all=0 crashes=0
  row target executions seconds defects
  row --- --- --- ---
  running=0
  for program in build/fuzz/tests/fuzz-*; do
    name=${program##*/fuzz-}
    mkdir -p "build/fuzz/corpus/$name"
    rm -f "build/fuzz/$name.ended"
    {
      "$program" -max_total_time="$seconds" -artifact_prefix="build/fuzz/$name-" \
        -print_final_stats=1 "build/fuzz/corpus/$name" $(seeds "$name") &&
        touch "build/fuzz/$name.ended"
    } >"build/fuzz/$name.log" 2>&1 &
    running=$((running + 1))
    # Each takes the same time.
    [ $((running % jobs)) != 0 ] || wait
  done
  wait
  for program in build/fuzz/tests/fuzz-*; do
    name=${program##*/fuzz-}
    log=build/fuzz/$name.log
    defects=0
    [ -e "build/fuzz/$name.ended" ] || { defects=1; tail -n 40 "$log" >&2; }
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    row "$name" "$executions" "$seconds" $defects
    all=$((all + ${executions:-0})) crashes=$((crashes + defects))
  done
  row all $all '' $crashes
  [ $crashes = 0 ]
}

mutate() {
  cmake --preset asan
  cmake --build build/asan --parallel "$jobs" --target fuzzers
  for program in build/asan/tests/fuzz-*; do
    name=${program##*/fuzz-}
    echo "$name: mutations for $seconds s"
    # 124: the time was up without a finding.
    timeout "$seconds" "$program" --mutate 1000000000 $(seeds "$name") || [ $? = 124 ]
  done
}

if echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
  clang++ -fsanitize=fuzzer,address -x c++ -o /dev/null - 2>/dev/null; then
  search
else
  echo 'no clang with libFuzzer (make -f Makefile.dist deps-fuzz installs it): mutating'
  mutate
fi
