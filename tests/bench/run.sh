#!/bin/sh
# Runs the benchmarks one after the other.  Usage: run.sh BUILD
set -eu
PATH=$1/tests:$1/tools:$PATH

echo '-- stream: 10,000 frames of 31 KB, written, piped and read; then the same by cat'
bench-stream write 10000 | bench-stream read
bench-stream write 10000 | bench-stream read-typed
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
file=$dir/stream
bench-stream write 10000 >"$file"
bench-stream read <"$file"
bash -c 'time cat "$1" | cat >/dev/null' bash "$file"

echo '-- attention, forward and backward'
oa-bench --kinds flash2,linear,gla,mamba,delta,optimizing --n 49,1024,4096 --causal --backward
