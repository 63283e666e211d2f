#!/bin/sh
# A long stream through one oa-anneal: memory must not grow with it.  10^5, 10^6, ...
# problems of 8 variables, 49 to an image, made on the way; prints time, rate and peak.
# Usage: load.sh TOOLS TESTS LIBRARY [MOST PROBLEMS]
set -u
PATH=$(cd "$1" && pwd):$(cd "$2" && pwd):$PATH
library=$(cd "$(dirname "$3")" && pwd)/${3##*/}
most=${4:-10000000}
export PATH
counts=$(mktemp) || exit 99
trap 'rm -f "$counts"' EXIT

printf '%10s %9s %12s %10s\n' problems seconds 'problems/s' 'peak (KB)'
first=
problems=100000
while [ $problems -le "$most" ]; do
  begin=$(date +%s%N)
  make-stream -q -j 1 --images $((problems / 49 + 1)) --variables 8 --queries 49 --width 2 |
    LD_PRELOAD=$library OA_FAULT_LIMIT_S=0 OA_FAULT_COUNT=$counts \
      oa-anneal -q --no-times -j 2 -o /dev/null || exit 1
  ns=$(($(date +%s%N) - begin))
  peak=$(sed -n 's/^peak_kb //p' "$counts")
  awk -v n=$problems -v ns=$ns -v kb="$peak" 'BEGIN {
    printf "%10d %9.1f %12.0f %10d\n", n, ns / 1e9, n / (ns / 1e9), kb }'
  first=${first:-$peak}
  problems=$((problems * 10))
done
# What the allocator keeps of the first thousand frames is all.
[ "$peak" -le $((first + first / 10 + 1000)) ]
