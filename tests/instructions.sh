#!/bin/sh
# Instructions per token of one forward pass of attention, on the emulated processor, with
# the model's width 64 and one thread.  Times in an emulator mean nothing; these counts do.
# Usage: instructions.sh RUN, the folder of starters (cmake/Emulated.cmake)
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
${CC:-cc} -O1 -shared -fPIC "$(dirname "$0")/bench/count_instructions.c" -o "$dir/libcount.so"

executed() {  # KIND TOKENS CALLS
  OA_EMULATOR_OPTIONS="-plugin $dir/libcount.so -d plugin" "$run/kind-calls" "$@" 2>&1 |
    sed -n 's/^instructions //p'
}
run=$1
printf '%-12s %6s %14s %14s\n' kind tokens 'instructions' 'a token'
for kind in flash2 linear mamba optimizing; do
  for tokens in 49 1024; do
    one=$(executed $kind $tokens 1)
    two=$(executed $kind $tokens 2)
    printf '%-12s %6d %14d %14d\n' $kind $tokens $((two - one)) $(((two - one) / tokens))
  done
done
