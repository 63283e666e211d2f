#!/bin/sh
# Checks that the frozen bad files are refused, each with the message in the file beside
# it.  Prints how many there are, format by format.
# Usage: bad_input.sh OA-UNIT
set -eu
"$1" -tc='damaged files are refused*,every message*' >&2
cd "$(dirname "$0")/data"

row() { printf '| %-8s | %5s | %7s |\n' "$@"; }
row format tried refused
row --- --- ---
for format in *; do
  tried=$(find "$format" -path '*/bad/*' -name '*.why' | wc -l)
  [ "$tried" = 0 ] || row "$format" "$tried" "$tried"
done
tried=$(find . -path '*/bad/*' -name '*.why' | wc -l)
row all "$tried" "$tried"
