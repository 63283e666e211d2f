#!/bin/sh
# Runs every fuzz target for some seconds: with clang the search of libFuzzer, which
# keeps what it finds in build/fuzz/corpus; else random mutations.  Both begin with the
# frozen files of the tests, under the address and undefined behaviour sanitizers.
# Usage: fuzz.sh SECONDS
set -eu
seconds=$1
jobs=$(nproc)
# What is written and read back goes through files, each flushed to the disk.
if [ -d /dev/shm ]; then
  TMPDIR=/dev/shm
  export TMPDIR
fi

# seeds TARGET: the files of its format, or of all, and what fuzzing has found
seeds() {
  if [ -d "tests/data/$1" ]; then echo "tests/data/$1"; else echo tests/data; fi
  if [ -d "tests/fuzz/corpus/$1" ]; then echo "tests/fuzz/corpus/$1"; fi
}

search() {
  cmake --preset fuzz
  cmake --build build/fuzz --parallel "$jobs" --target fuzzers
  for program in build/fuzz/tests/fuzz-*; do
    name=${program##*/fuzz-}
    mkdir -p "build/fuzz/corpus/$name"
    "$program" -max_total_time="$seconds" -artifact_prefix="build/fuzz/$name-" \
      -print_final_stats=1 "build/fuzz/corpus/$name" $(seeds "$name")
  done
}

mutate() {
  cmake --preset asan
  cmake --build build/asan --parallel "$jobs" --target fuzzers
  for program in build/asan/tests/fuzz-*; do
    name=${program##*/fuzz-}
    echo "$name: mutations for $seconds s"
    # 124: the time was up, and nothing had been found.
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
