#!/bin/sh
# The units of work of a study, each a file that is made by itself:
#
#   train   a model for each of KINDS and SEEDS
#   solve   a shard of the problems of IMAGES, of SHARDS
#   target  a run on INSTANCE for each of RUNS seeds
#
# Usage, in the folder of the Makefile, which sets and exports the names in capitals:
#
#   unit.sh list STUDY        its units
#   unit.sh make UNIT         makes the unit, unless it is there and complete
#   unit.sh pack STUDY N K    makes pack K, counted from 0, of N units each
#   unit.sh size STUDY        how many units make a task of MINUTES, from the times so far
#   unit.sh status STUDY      what is done, runs, has failed, and how long the rest takes
set -eu
threads=${SLURM_CPUS_PER_TASK:-${THREADS:-1}}

list() {
  case $1 in
    train) for kind in $KINDS; do for seed in $SEEDS; do echo "train-$kind-$seed"; done; done ;;
    solve) seq 0 $((SHARDS - 1)) | awk -v n="$SHARDS" '{ printf "solve-%05d-%d\n", $1, n }' ;;
    target) seq 1 "$RUNS" | awk '{ printf "target-%05d\n", $1 }' ;;
    *) echo "unit.sh: no study '$1' (expected train, solve or target)" >&2; exit 2 ;;
  esac
}

file_of() {
  case $1 in
    train-*) echo "out/$1.bin" ;;
    solve-*) echo "out/$1.oa" ;;
    *) echo "out/$1.json" ;;
  esac
}

# Whether file $2 of unit $1 exists and is complete: models and streams have an end mark, of
# a result the line ends.
complete() {
  [ -s "$2" ] || return 1
  case $1 in
    target-*) [ "$(tail -c 1 "$2" | wc -l)" = 1 ] ;;
    *) oa-view -q --check "$2" >/dev/null 2>&1 ;;
  esac
}

# Makes unit $1 in file $2.
work() {
  case $1 in
    train-*)
      kind=${1#train-}
      seed=${kind##*-}
      kind=${kind%-*}
      checkpoint=out/$1.ckpt
      resume=
      # One that was cut is of no use.
      if oa-view -q --check "$checkpoint" >/dev/null 2>&1; then resume="--resume $checkpoint"; fi
      # shellcheck disable=SC2086 # words are wanted
      oa-train "$DATA" -q -j "$threads" --attention "$kind" --seed "$seed" --test $TRAIN \
        --checkpoint "$checkpoint" $resume -o "$2" && rm -f "$checkpoint" ;;
    solve-*)
      shard=${1#solve-}
      k=$(echo "${shard%-*}" | sed 's/^0*\(.\)/\1/')
      # A reader of a truncated shard fails, so no truncated shard counts as complete.
      oa-qubo -q -j "$threads" "$MODEL" "$IMAGES" --shard "$k/$SHARDS" |
        oa-anneal -q -j "$threads" $SOLVE -o "$2" ;;
    target-*)
      seed=$(echo "${1#target-}" | sed 's/^0*//')
      oa-anneal -q -j "$threads" $TARGET --seed "$seed" -o "$2" "$INSTANCE" ;;
  esac
}

make_unit() {
  unit=$1
  file=$(file_of "$unit")
  if complete "$unit" "$file"; then
    return 0
  fi
  mkdir -p out log
  # The name has the task's number: a task that is wrongly thought dead does no harm.
  rm -f out/."$unit".*.part
  part=out/.$unit.${SLURM_JOB_ID:-0}.$$.part
  trap 'rm -f "$part"' EXIT
  : >"$part"
  begin=$(date +%s)
  status=0
  work "$unit" "$part" 2>"log/$unit.err" || status=$?
  if [ $status = 0 ] && ! complete "$unit" "$part"; then
    status=incomplete
  fi
  if [ "$status" != 0 ]; then
    echo "$status" >"log/$unit.failed"
    echo "$unit: status $status, see log/$unit.err" >&2
    return 1
  fi
  mv "$part" "$file"
  rm -f "log/$unit.failed"
  [ -s "log/$unit.err" ] || rm -f "log/$unit.err"
  echo "$unit $(($(date +%s) - begin))" >>log/times
}

pack() {
  failed=0
  for unit in $(list "$1" | awk -v n="$2" -v k="$3" 'int((NR - 1) / n) == k'); do
    "$0" make "$unit" || failed=1
  done
  return $failed
}

# Seconds a unit takes: the mean so far, 0 if there is none.
mean() {
  { cat log/times 2>/dev/null || :; } |
    awk -v study="$1-" 'index($1, study) == 1 { sum += $2; n++ } END { print n ? sum / n : 0 }'
}

size() {
  seconds=$(mean "$1")
  list "$1" | awk -v s="$seconds" -v minutes="$MINUTES" '
    END { n = s > 0 ? int(60 * minutes / s) : 1; if (n < 1) n = 1; if (n > NR) n = NR; print n }'
}

status() {
  all=$(list "$1" | wc -l)
  there=0
  failed=0
  for unit in $(list "$1"); do
    if [ -s "$(file_of "$unit")" ]; then
      there=$((there + 1))
    elif [ -e "log/$unit.failed" ]; then
      failed=$((failed + 1))
    fi
  done
  running=$(find out/ -name ".$1-*.part" 2>/dev/null | wc -l)
  rest=$(mean "$1" | awk -v n=$((all - there)) '{ printf "%.0f", $1 * n / 60 }')
  echo "$1: $there of $all done, $running begun, $failed failed, about $rest task-minutes left"
}

command=$1
shift
case $command in
  list) list "$1" ;;
  make) make_unit "$1" ;;
  pack) pack "$@" ;;
  size) size "$1" ;;
  status) status "$1" ;;
  *) echo "unit.sh: no command '$command'" >&2; exit 2 ;;
esac
