#!/bin/sh
# Runs a command, shows what it prints, and keeps its tables (the lines that begin with '|')
# in build/trust/NAME.md.  tests/TRUST.md has the totals.
# Usage: trust.sh NAME COMMAND...
set -u
tables=build/trust/$1.md
shift
mkdir -p build/trust || exit 4
status=$(mktemp) || exit 4
trap 'rm -f "$status"' EXIT

{
  "$@"
  echo $? >"$status"
} | tee "$tables.all"
grep '^|' "$tables.all" >"$tables"
rm "$tables.all"
[ "$(cat "$status")" = 0 ]
