#!/bin/sh
# Records the terminal of the first pages again: runs the commands of their blocks "console"
# one after the other in an empty folder, and puts what they print below each.  Wide lines of
# JSON are folded, others are cut.  It trains for three epochs: do it on a quiet machine.
# Usage: record.sh TOOLS [PAGE...]     (pages with the same commands: README.md README.zh.md)
set -eu
[ $# -gt 0 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
tools=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- README.md README.zh.md
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

awk '/^```console$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$1" |
  sed -n 's/^\$ //p' >"$tmp/commands"
[ -s "$tmp/commands" ] || { echo "record.sh: $1 has no block 'console'" >&2; exit 1; }

mkdir "$tmp/work"
ln -s "$(pwd)/examples" "$tmp/work/examples"
while read -r command; do
  printf '%s\n' "$command" >&2
  printf '$ %s\n' "$command"
  (cd "$tmp/work" && PATH="$tools:$PATH" && eval "$command") 2>&1 </dev/null |
    awk -v most=98 '
      /^\{/ {
        while (length($0) > most && match(substr($0, 1, most), /.*,/)) {
          print substr($0, 1, RLENGTH)
          $0 = " " substr($0, RLENGTH + 1)
        }
      }
      length($0) > most + 3 { $0 = substr($0, 1, most) "..." }
      { print }'
done <"$tmp/commands" >"$tmp/recorded"

# Each command of a page is followed by what it printed.
for page; do
  awk -v recorded="$tmp/recorded" '
    BEGIN {
      while ((getline line <recorded) > 0) {
        if (line ~ /^\$ /) { command = line; printed[command] = "" }
        else printed[command] = printed[command] line "\n"
      }
    }
    /^```console$/ { print; inside = 1; next }
    /^```$/ { inside = 0 }
    inside && /^\$ / { print; printf "%s", printed[$0] }
    !inside' "$page" >"$tmp/page"
  cat "$tmp/page" >"$page"
done
