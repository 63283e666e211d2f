#!/bin/sh
# Runs a command and replaces the tables in a section of TRUST.md by the tables that it
# prints: the lines that begin with '|'.
# Usage: trust.sh SECTION COMMAND...
set -u
section=$1
shift
report=$(dirname "$0")/TRUST.md
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

{
  "$@"
  echo $? >"$dir/status"
} | tee "$dir/out"
[ "$(cat "$dir/status")" = 0 ] || exit 1

awk -v section="## $section" '
  function grouped(number) {
    while (match(number, /^[0-9]+[0-9][0-9][0-9]($|,)/)) {
      sub(/[0-9][0-9][0-9]($|,)/, ",&", number)
    }
    return number
  }
  # One blank around cells, commas in numbers.
  function tidy(line,   cells, n, i, text) {
    n = split(line, cells, /[ ]*\|[ ]*/)
    for (i = 2; i < n; ++i) text = text "| " grouped(cells[i]) " "
    return text "|"
  }
  NR == FNR {
    if (/^\|/) {
      if (!table) ++tables
      made[tables] = made[tables] tidy($0) "\n"
    }
    table = /^\|/
    next
  }
  FNR == 1 { table = 0 }
  /^## / { here = $0 == section }
  here && /^\|/ {
    if (!table) printf "%s", made[++placed]
    table = 1
    next
  }
  { table = 0; print }
  END { if (placed != tables || placed == 0) exit 1 }
' "$dir/out" "$report" >"$dir/report" || {
  echo "trust.sh: not the tables of section '$section'" >&2
  exit 1
}
cat "$dir/report" >"$report"
