#!/bin/sh
# Tests pipelines in which a call of one tool fails: runs each chain below once without
# faults, then once for each fault in each of its tools (see run.sh).  After each run:
#
#   no death by a signal but SIGPIPE, and no hang;
#   the last tool leaves with 0: it wrote what it writes without faults;
#   else: it wrote that, its beginning or nothing, and said why in one line.
#
# So no broken pipeline looks complete.
# Usage: chain.sh -j JOBS TOOLS LIBRARY [MOST [CHAIN...]]; MOST faults of a kind and
# error in each tool, chosen evenly; 2000 by default.  Prints a table and
# failures.
set -u
jobs=$2
shift 2
PATH=$(cd "$1" && pwd):$PATH
library=$(cd "$(dirname "$2")" && pwd)/${2##*/}
most=${3:-2000}
shift; shift
[ $# -eq 0 ] || shift
wanted=$*
LC_ALL=C.UTF-8
export PATH LC_ALL

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
fault=$(cd "$(dirname "$0")" && pwd)
. "$fault/setup.sh"

# Three tools each; the last one writes to standard output.
chains='
score  oa-qubo -q $in/m.bin $in/d/t10k-images-idx3-ubyte | oa-anneal -q --no-times -j 1 | oa-score -q --json
ingest oa-cim-ingest -q $in/mat.manifest $in/results | oa-score -q --csv - | oa-heatmap confusion --json
image  oa-qubo -q $in/m.bin $in/d/t10k-images-idx3-ubyte | oa-anneal -q --no-times -j 1 | oa-heatmap sparsity --json
'

if [ "$jobs" -gt 1 ]; then
  # shellcheck disable=SC2046,SC2086 # names have no blanks
  by_case "$jobs" "$0" "${PATH%%:*}" "$library" "$most" \
    ${wanted:-$(echo "$chains" | awk 'NF { print $1 }')}
  exit
fi
in=$dir/in
mkdir "$in"
make_inputs "$in" || exit 99

errors='
read   EIO EINTR short
write  EIO ENOSPC EINTR short
open   EMFILE EINTR
malloc ENOMEM
stat   EIO
thread EAGAIN
'

# tool NUMBER COMMAND...: with the fault if this tool is to have it
tool() {
  number=$1
  shift
  if [ "$number" = "$turn" ]; then
    LD_PRELOAD=$library OA_FAULT_LIMIT_S=10 OA_FAULT=$struck OA_FAULT_FIRED=$dir/fired \
      OA_FAULT_COUNT=$dir/counts "$@"
  else
    "$@"
  fi
  echo $? >"$dir/status.$number"
}

# run CHAIN: sets $status, the last tool's, and $others
run() {
  rm -f "$dir/fired"
  first=${1%%|*}
  rest=${1#*|}
  { eval "tool 1 $first" | eval "tool 2 ${rest%%|*}" | eval "tool 3 ${rest#*|}"; } \
    >"$dir/out" 2>"$dir/err" </dev/null
  status=$(cat "$dir/status.3")
  others="$(cat "$dir/status.1") $(cat "$dir/status.2")"
}

wrong() {
  bad=$((bad + 1))
  echo "$name, tool $turn: $struck: $1 ($others $status)"
  sed 's/^/    /' "$dir/err" | head -n 3
}

check() {
  for each in $others; do
    case $each in
      0|1|3|4|141) ;;  # SIGPIPE: the reader has ended
      *) wrong "status $each" ;;
    esac
  done
  case $status in 0|1|3|4) ;; *) wrong "status $status" ;; esac
  if [ "$status" = 0 ]; then
    cmp -s "$dir/out" "$dir/want" || wrong "status 0 with other output"
    whole=$((whole + 1))
    return
  fi
  head -c "$(wc -c <"$dir/out")" "$dir/want" | cmp -s - "$dir/out" || wrong "other output"
  [ -s "$dir/err" ] || wrong "no message"
  broken=$((broken + 1))
}

# row PIPELINE TOOL FAULTS WHOLE BROKEN
row() { printf '| %-8s | %4s | %8s | %8s | %8s |\n' "$@"; }

total=0 all_whole=0 all_broken=0
bad=0
row pipeline tool faults whole broken
row --- --- --- --- ---
while read -r name chain <&3; do
  [ -n "$name" ] || continue
  case " $wanted " in "  "|*" $name "*) ;; *) continue ;; esac
  for turn in 1 2 3; do
    struck=other:0:EIO
    rm -f "$dir/counts"
    run "$chain"
    case "$others $status" in
      '0 0 0'|'0 141 0') ;;  # a tool that takes one image does not read the rest
      *) wrong 'without a fault'; continue ;;
    esac
    mv "$dir/out" "$dir/want"
    mv "$dir/counts" "$dir/want.counts"
    faults=0 whole=0 broken=0
    echo "$errors" >"$dir/errors"
    while read -r call kinds <&4; do
      [ -n "$call" ] || continue
      for error in $kinds; do
        for k in $(numbers "$(sed -n "s/^$call //p" "$dir/want.counts")" "$most"); do
          struck=$call:$k:$error
          run "$chain"
          if [ -e "$dir/fired" ]; then
            faults=$((faults + 1))
            check
          fi
        done
      done
    done 4<"$dir/errors"
    row "$name" $turn $faults $whole $broken
    total=$((total + faults)) all_whole=$((all_whole + whole))
    all_broken=$((all_broken + broken))
  done
done 3<<END
$chains
END
row all '' $total $all_whole $all_broken
echo "$bad times wrong"
[ $bad = 0 ] && [ $total -gt 0 ]
