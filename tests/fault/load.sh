#!/bin/sh
# Gives the tools much input; memory must not grow with it.  Prints time, rate and peak
# of
#   10^5, 10^6, ... problems of 8 variables, 49 to an image, made on the way and solved
#     by one oa-anneal;
#   a stream of 1, 10, ... GB that oa-view reads and checks;
#   results that oa-cim-ingest reads from a folder with 10^4, 10^5, ... other files.
# Usage: load.sh TOOLS TESTS LIBRARY [PROBLEMS [GIGABYTES [FILES]]], the most of each
set -u
tools=$(cd "$1" && pwd)
PATH=$tools:$(cd "$2" && pwd):$PATH
library=$(cd "$(dirname "$3")" && pwd)/${3##*/}
most_problems=${4:-10000000}
most_gigabytes=${5:-100}
most_files=${6:-1000000}
export PATH
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

# watched COMMAND...: its peak memory comes into a file
watched() {
  LD_PRELOAD=$library OA_FAULT_LIMIT_S=0 OA_FAULT_COUNT=$dir/counts "$@"
}

title() {
  echo
  for cells in "$1 seconds $1/s peak_KB" '--- --- --- ---'; do
    printf '| %11s | %9s | %12s | %10s |\n' $cells
  done
  first=
}

# row COUNT BEGIN: the figures of the last watched command
row() {
  peak=$(sed -n 's/^peak_kb //p' "$dir/counts")
  awk -v n="$1" -v ns=$(($(date +%s%N) - $2)) -v kb="$peak" 'BEGIN {
    printf "| %11d | %9.1f | %12.1f | %10d |\n", n, ns / 1e9, n / (ns / 1e9), kb }'
}

# Memory may grow only by what the allocator keeps after the shortest run.
flat() {
  first=${first:-$peak}
  if [ "$peak" -gt $((first + first / 10 + 1000)) ]; then
    echo 'memory grows'
    exit 1
  fi
}

title problems
n=100000
while [ $n -le "$most_problems" ]; do
  begin=$(date +%s%N)
  make-stream -q -j 1 --images $((n / 49 + 1)) --variables 8 --queries 49 --width 2 |
    watched oa-anneal -q --no-times -j 2 -o /dev/null || exit 1
  row $n "$begin"
  flat
  n=$((n * 10))
done

title GB
n=1
while [ $n -le "$most_gigabytes" ]; do
  begin=$(date +%s%N)
  bench-stream write $((n * 32250)) | watched oa-view --check - >/dev/null || exit 1
  row $n "$begin"
  flat
  n=$((n * 10))
done

# All results among other files must be found, however many those are.
title files
fault=$(cd "$(dirname "$0")" && pwd)
. "$fault/setup.sh"
mkdir "$dir/in"
make_inputs "$dir/in" || exit 99
oa-cim-ingest -q "$dir/in/mat.manifest" "$dir/in/results" -o "$dir/want.oa" || exit 1
there=0
n=10000
while [ $n -le "$most_files" ]; do
  (cd "$dir/in/results" && seq -f 'other %.0f.txt' $((there + 1)) $n | xargs -d '\n' touch)
  there=$n
  begin=$(date +%s%N)
  watched oa-cim-ingest -q "$dir/in/mat.manifest" "$dir/in/results" -o "$dir/r.oa" || exit 1
  row $n "$begin"
  cmp "$dir/r.oa" "$dir/want.oa" || exit 1
  n=$((n * 10))
done
