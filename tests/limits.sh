#!/bin/sh
# The matrix of limits: every solver of oa-anneal on sparse and dense problems of 100 to
# 20,000 variables and on one of 10^7 couplings, with a time limit, with SIGINT and with
# SIGTERM; then `auto` on the public problems in the folder OA_SHARED, if there is one.
# Prints by how many seconds each ended late, from the start of the process to its end
# and beyond what reading takes, and the worst ratio to the limit.  Status 1 if one is
# later than the limit by more than 10 % and 1 s, or later than 1 s after a signal, or
# ends in another way.
# "early": it ended long before its limit and proved nothing; "-": it ended before the
# signal.
# Usage: limits.sh [-l SECONDS] [-s 'SOLVER...'] [-j THREADS] TOOLS TESTS [PROBLEM...]
# Problems are d100, d1000, ...: dense; s100, ...: sparse; m10: 10^7 couplings; or the
# paths of files, with a slash.
set -u
limit=1
solvers='auto exact sa pt tabu sb sb-discrete cim cim-control admm greedy'
threads=
while getopts l:s:j: option; do
  case $option in
    l) limit=$OPTARG ;;
    s) solvers=$OPTARG ;;
    j) threads=-j$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
PATH=$(cd "$1" && pwd):$(cd "$2" && pwd):$PATH
export PATH
shift 2
if [ $# = 0 ]; then
  set -- d100 s100 d1000 s1000 d10000 s10000 d20000 s20000 m10
  for file in ${OA_SHARED:+"$OA_SHARED"/instances/*[!d] "$OA_SHARED"/qoblib/*/*.qs.xz}; do
    [ ! -f "$file" ] || set -- "$@" "$file"
  done
fi
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
tries=3    # the best of this many counts: other work takes time, too
patience=20 # seconds after which a run is killed
ulimit -v 8388608 # KB: more is a finding, and would disturb other programs

now() {
  date +%s%N
}

# calc EXPRESSION: its value, in seconds with three decimals
calc() {
  awk "BEGIN { printf \"%.3f\", $1 }"
}

true_that() {
  awk "BEGIN { exit !($1) }"
}

# make NAME: the problem $path and, unless it is a file, $dir/zeros, a result for it
make() {
  path=$dir/$1
  n=${1#?}
  case $1 in
    */*)
      path=$1
      format=
      return
      ;;
    d*) make-problem --variables "$n" -o "$dir/$1" ;;
    s*) make-problem --variables "$n" --couplings $((4 * n)) -o "$dir/$1" ;;
    m10)
      n=1000000
      make-problem --variables $n --couplings 10000000 -o "$dir/$1"
      ;;
    *) exit 2 ;;
  esac || exit 99
  awk -v n=$n 'BEGIN {
    printf "{\"energy\":0,\"x\":[-1"; for (i = 1; i < n; ++i) printf ",-1"; print "]}" }' |
    case $1 in d*) sed 's/-1/0/g' ;; *) cat ;; esac >"$dir/zeros"
  case $1 in d*) format=--format=npy ;; *) format=--format=gset ;; esac
}

# read_time NAME: the time to start and read, by a run without a search.  Fails if the
# file is refused.
read_time() {
  case $1 in
    */*) search='--solver greedy' ;;
    *) search="--verify $dir/zeros" ;;
  esac
  least=
  for try in $(seq $tries); do
    begin=$(now)
    oa-anneal -q $format $search "$path" >/dev/null 2>"$dir/err" || return 1
    taken=$(($(now) - begin))
    [ -n "$least" ] && [ "$least" -le $taken ] || least=$taken
  done
  calc "$least / 1e9"
}

# started NAME SOLVER OPTION...: oa-anneal in the background.  A script's commands in
# the background ignore SIGINT; timeout undoes that and passes signals on.
started() {
  name=$1
  solver=$2
  shift 2
  begin=$(now)
  timeout --foreground -s KILL "$kill_after" oa-anneal -q $threads $format \
    --solver "$solver" "$@" "$path" >"$dir/out" 2>"$dir/err" &
  pid=$!
}

# ended EXPECTED: waits, and says how it ended if not as expected
ended() {
  wait $pid
  status=$?
  end=$(now)
  how=
  case $status in
    0 | "$1")
      grep -q '^{.*}$' "$dir/out" || how='no answer'
      ! grep -q 'are too many' "$dir/err" || how=refused
      ;;
    3) how=refused ;;
    137) how=killed ;;
    *) how="status $status" ;;
  esac
}

# late WAY NAME SOLVER: sets over, the seconds that it ended late, and how, if otherwise
late() {
  kill_after=$(calc "$read_s + $limit + $patience")
  case $1 in
    limit)
      started "$2" "$3" --time-limit "$limit"
      ended 0
      over=$(calc "($end - $begin) / 1e9 - $read_s - $limit")
      ;;
    *)
      started "$2" "$3" --time-limit 1000
      sleep "$(calc "$read_s + $limit")"
      sent=$(now)
      kill -s "$1" $pid 2>/dev/null
      ended 130
      over=$(calc "($end - $sent) / 1e9")
      ;;
  esac
}

# cell WAY ALLOWED NAME SOLVER: the best of some tries into cell; counts what is wrong
cell() {
  cell=
  for try in $(seq $tries); do
    late "$1" "$3" "$4"
    case $how in
      '')
        [ -n "$cell" ] && true_that "$cell <= $over" || cell=$over
        # A second late is more than noise.
        true_that "$cell > $2 && $cell < $2 + 1" || break
        ;;
      'no answer') ;; # reading took longer than before
      *) break ;;
    esac
  done
  [ -n "$cell" ] && how= || cell=$how
  if [ "$how" = refused ]; then
    refused=$((refused + 1))
  elif [ -n "$how" ] || true_that "$cell > $2"; then
    cell="$cell !"
    bad=$((bad + 1))
  elif [ "$1" != limit ] && [ $status = 0 ]; then
    cell=-
  elif [ "$1" = limit ] && true_that "$cell < -0.1 * $limit" &&
    grep -q '"proved_optimal":false' "$dir/out"; then
    cell="$cell early"
    early=$((early + 1))
  fi
}

bad=0
worst=0
worst_at=
unread=0
refused=0
early=0
allowed=$(awk -v l="$limit" 'BEGIN { print 1 + 0.1 * l }')
echo "seconds late: allowed are $allowed after a limit of $limit s, 1 after a signal"
echo '| problem | read | solver | limit | SIGINT | SIGTERM |'
echo '| --- | --- | --- | --- | --- | --- |'
for problem in "$@"; do
  make "$problem"
  if ! read_s=$(read_time "$problem"); then
    echo "| ${problem##*/} | not read | | | | |"
    case $problem in */*) unread=$((unread + 1)) ;; *) bad=$((bad + 1)) ;; esac
    continue
  fi
  case $problem in */*) some=auto ;; *) some=$solvers ;; esac
  for solver in $some; do
    line="| ${problem##*/} | $read_s | $solver"
    for way in limit INT TERM; do
      case $way in limit) most=$allowed ;; *) most=1 ;; esac
      cell $way "$most" "$problem" "$solver"
      ratio=$(awk -v l="$limit" -v over="${cell%% *}" 'BEGIN { print 1 + over / l }')
      if [ $way = limit ] && true_that "$ratio > $worst"; then
        worst=$ratio
        worst_at="${problem##*/} with $solver"
      fi
      line="$line | $cell"
    done
    echo "$line |"
  done
  case $problem in */*) ;; *) rm -f "$path" ;; esac
done
echo "$bad late or wrong, $refused refused, $early early, $unread not read"
echo "worst ratio of the time beyond reading to the limit: $worst ($worst_at)"
[ $bad = 0 ]
