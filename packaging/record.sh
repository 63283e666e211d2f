#!/bin/sh
# Records the terminal of the first page again: runs the commands of the block "console" in
# an empty folder, and puts what they print in its place, into every page that is named.
# A line that is too wide is cut at a comma.  It trains for three epochs: on a quiet machine
# it takes two minutes.
# Usage: record.sh TOOLS [PAGE...]     (pages: README.md README.zh.md)
set -eu
[ $# -gt 0 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
tools=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- README.md README.zh.md
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

block='/^```console$/ { inside = 1; next } /^```$/ { inside = 0 } inside'
awk "$block" "$1" | sed -n 's/^\$ //p' >"$tmp/commands"
[ -s "$tmp/commands" ] || { echo "record.sh: $1 has no block 'console'" >&2; exit 1; }

# The picture that the page asks the model about: test image 22, a 4.
four='
import struct, zlib
def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
data = open("digits/t10k-images-idx3-ubyte", "rb").read()[16 + 22 * 784 : 16 + 23 * 784]
rows = b"".join(b"\0" + data[i : i + 28] for i in range(0, 784, 28))
header = struct.pack(">IIBBBBB", 28, 28, 8, 0, 0, 0, 0)
open("4.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
                          + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))'

mkdir "$tmp/work"
while read -r command; do
  echo "$command" >&2
  case $command in
    *4.png*) (cd "$tmp/work" && python3 -c "$four") ;;
  esac
  echo "\$ $command"
  (cd "$tmp/work" && PATH="$tools:$PATH" && eval "$command") 2>&1 </dev/null |
    sed -E '/^.{101}/s/^(.{50,90}), .*$/\1, ...)/'
done <"$tmp/commands" >"$tmp/recorded"

for page; do
  awk -v recorded="$tmp/recorded" '
    /^```console$/ { print; while ((getline line <recorded) > 0) print line; inside = 1; next }
    /^```$/ { inside = 0 }
    !inside' "$page" >"$tmp/page"
  cat "$tmp/page" >"$page"
done
