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
run 'oa-view digits/train-images-idx3-ubyte'
run 'oa-view digits/train-labels-idx1-ubyte'
run 'oa-view --check digits/t10k-images-idx3-ubyte'
printf '\nWhat was written is in %s.\n' "$2"
