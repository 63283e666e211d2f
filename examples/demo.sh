#!/bin/sh
# The tools on built-in data, step after step, as a user would type them.
# Usage: demo.sh TOOLS OUT
set -eu
PATH=$(cd "$1" && pwd):$PATH
mkdir -p "$2"
cd "$2"

run() {
  printf '\n$ %s\n' "$1"
  eval "$1"
}

run 'oa-digits -o digits'
run 'oa-view digits/train-labels-idx1-ubyte'
run 'oa-train digits -o model.bin --epochs 3'
run 'oa-view model.bin | head -n 12'
run 'oa-qubo -q model.bin digits/t10k-images-idx3-ubyte | oa-anneal -o solved.oa'
run 'oa-score solved.oa'
run 'oa-heatmap sparsity solved.oa'
run 'oa-heatmap sparsity solved.oa --images digits/t10k-images-idx3-ubyte -o map.svg'
printf '\nWhat was written is in %s.\n' "$2"
