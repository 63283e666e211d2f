#!/bin/sh
# Tests the tools with failing calls.  For each case below: one run without faults,
# which counts the calls; then one run for each fault: each kind of call, the first,
# second, ... call of it, and each error (see fault.cc).  After each run:
#
#   no death by a signal, no hang, no status but 0 and 4;
#   status 0: files and standard output have the bytes of the run without faults, and
#     standard error is as it was;
#   status 4: one line on standard error; every file is as it was before, or whole (of a
#     log: its beginning); standard output ends early or not at all.
#
# EINTR, short reads and writes and a clock that jumps must change nothing.  A pipeline
# with a failing tool may end with what its last tool says of a part, 1 or 3, and with a
# line of each tool; so none that is broken looks complete.
# Usage: run.sh -j JOBS TOOLS LIBRARY [MOST [CASE...]]; MOST faults of a kind and error,
# chosen evenly; 2000 by default.  Prints a table and failures.
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

# The commands of `cases`, and some that are useful only here.
cases=$(cat "$fault/cases")'
threads    oa-anneal -q --no-times "$in/p.oa" -j 3
pipe       cat "$in/p.oa" | FAULT oa-anneal -q --no-times -j 1
chain-1    FAULT oa-qubo -q $in/m.bin $in/d/t10k-images-idx3-ubyte | oa-anneal -q --no-times -j 1 | oa-score -q --json
chain-2    oa-qubo -q $in/m.bin $in/d/t10k-images-idx3-ubyte | FAULT oa-anneal -q --no-times -j 1 | oa-score -q --json
chain-3    oa-qubo -q $in/m.bin $in/d/t10k-images-idx3-ubyte | oa-anneal -q --no-times -j 1 | FAULT oa-score -q --json
ingested   FAULT oa-cim-ingest -q $in/mat.manifest $in/results | oa-score -q --csv - | oa-heatmap confusion --json
scored     oa-cim-ingest -q $in/mat.manifest $in/results | FAULT oa-score -q --csv - | oa-heatmap confusion --json
drawn      oa-cim-ingest -q $in/mat.manifest $in/results | oa-score -q --csv - | FAULT oa-heatmap confusion --json
image      oa-qubo -q $in/m.bin $in/d/t10k-images-idx3-ubyte | FAULT oa-anneal -q --no-times -j 1 | oa-heatmap sparsity --json
log        oa-train "$in/d" -q -o m.bin --recipe reference --epochs 1 --held-out 10 --patch 14 --dim 2 --batch 10 -j 2 --log run.log; s=$?; timeless run.log; (exit $s)
'

if [ "$jobs" -gt 1 ]; then
  # shellcheck disable=SC2046,SC2086 # names have no blanks
  by_case "$jobs" "$0" "${PATH%%:*}" "$library" "$most" \
    ${wanted:-$(echo "$cases" | awk 'NF { print $1 }')}
  exit
fi
in=$dir/in
mkdir "$in"
make_inputs "$in" || exit 99

# Measured times differ from run to run.
timeless() {
  [ ! -e "$1" ] || sed -i 's/,"seconds":[^,}]*//' "$1"
}

# Every error that the kind of call may have.
errors='
read   EIO EINTR short
write  EIO ENOSPC ENOSPC+ EINTR short
open   EMFILE EACCES EINTR
close  EIO EDQUOT EINTR
fsync  EIO ENOSPC EINTR
rename EIO ENOSPC
malloc ENOMEM
stat   EIO EACCES
folder EIO EMFILE
thread EAGAIN EAGAIN+
clock  jump+
other  EMFILE
'

# run FAULT: the command in an empty folder, or in one where each file is there already
run() {
  rm -rf "$dir/work" "$dir/fired"
  mkdir "$dir/work"
  if [ "$old" = yes ]; then
    (cd "$dir/want" && find . -type d) | (cd "$dir/work" && xargs mkdir -p)
    (cd "$dir/want" && find . -type f) |
      while read -r file; do echo old >"$dir/work/$file"; done
  fi
  (
    cd "$dir/work" || exit
    eval "$command"
  ) >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
}

# Reports one failure.
wrong() {
  bad=$((bad + 1))
  echo "$name: $struck${old:+ (files there: $old)}: $1"
  sed 's/^/    /' "$dir/err" | head -n 3
}

# Whether file $1 is the beginning of file $2.
begins() {
  head -c "$(wc -c <"$1")" "$2" | cmp -s - "$1"
}

check_refusal() {
  if [ "$later" ]; then
    [ -s "$dir/err" ] || wrong "no message"
  else
    [ "$(wc -l <"$dir/err")" = 1 ] || wrong "not one line"
  fi
  begins "$dir/out" "$dir/want.out" || wrong "other output"
  find "$dir/work" -type f >"$dir/files"
  while read -r file; do
    same=$dir/want/${file#"$dir/work/"}
    if [ ! -e "$same" ]; then
      wrong "left behind: ${file##*/}"
    elif ! cmp -s "$file" "$same" && ! { [ "$old" = yes ] && [ "$(cat "$file")" = old ]; } &&
        ! { [ "${file%.log}" != "$file" ] && begins "$file" "$same"; }; then
      wrong "partial: ${file##*/}"
    fi
  done <"$dir/files"
}

check() {
  if [ $status = 0 ]; then
    diff -r "$dir/work" "$dir/want" >/dev/null || wrong "status 0 with other files"
    cmp -s "$dir/out" "$dir/want.out" || wrong "status 0 with other output"
    [ "$later" ] || cmp -s "$dir/err" "$dir/want.err" || wrong "status 0 with other messages"
    hidden=$((hidden + 1))
  elif [ "$error" = EINTR ] || [ "$error" = short ] || [ "$error" = jump ]; then
    wrong "status $status: it shows"
  elif [ $status = 4 ] || { [ "$later" ] && { [ $status = 1 ] || [ $status = 3 ]; }; }; then
    check_refusal
    refused=$((refused + 1))
  else
    wrong "status $status"
  fi
}

# row NAME FAULTS HIDDEN REFUSED
row() { printf '| %-10s | %8s | %8s | %8s |\n' "$@"; }

total=0 all_hidden=0 all_refused=0
bad=0
row command faults hidden refused
row --- --- --- ---
while read -r name command <&3; do
  [ -n "$name" ] || continue
  case " $wanted " in "  "|*" $name "*) ;; *) continue ;; esac
  prefix='LD_PRELOAD=$library OA_FAULT_LIMIT_S=10 OA_FAULT=$struck OA_FAULT_FIRED=$dir/fired OA_FAULT_COUNT=$dir/counts'
  later=  # tools that read what the failing one writes
  case $command in
    *FAULT*' | '*) later=yes ;;
  esac
  case $command in
    *FAULT*) command=$(echo "$command" | sed "s,FAULT,$prefix,") ;;
    *) command="$prefix $command" ;;
  esac
  struck=other:0:EIO error=
  old=
  run
  if [ $status != 0 ]; then
    wrong "status $status without a fault"
    continue
  fi
  rm -rf "$dir/want"
  mv "$dir/work" "$dir/want"
  mv "$dir/out" "$dir/want.out"
  mv "$dir/err" "$dir/want.err"
  mv "$dir/counts" "$dir/want.counts"
  faults=0 hidden=0 refused=0
  echo "$errors" >"$dir/errors"
  while read -r call kinds <&4; do
    [ -n "$call" ] || continue
    count=$(sed -n "s/^$call //p" "$dir/want.counts")
    for kind in $kinds; do
      error=${kind%+}
      for k in $(numbers "$count" "$most"); do
        struck=$call:$k${kind#"$error"}:$error
        old=$([ $((k % 2)) = 0 ] && echo yes)
        run
        if [ -e "$dir/fired" ]; then
          faults=$((faults + 1))
          check
        fi
      done
    done
  done 4<"$dir/errors"
  # Every read and write at once.
  call=
  for struck in read:1+:short write:1+:short read:1+:EINTR write:1+:EINTR; do
    error=${struck##*:} old=
    run
    if [ -e "$dir/fired" ]; then
      faults=$((faults + 1))
      check
    fi
  done
  row "$name" $faults $hidden $refused
  total=$((total + faults)) all_hidden=$((all_hidden + hidden))
  all_refused=$((all_refused + refused))
done 3<<END
$cases
END
row all $total $all_hidden $all_refused
echo "$bad times wrong"
[ $bad = 0 ] && [ $total -gt 0 ]
