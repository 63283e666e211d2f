#!/bin/sh
# Shards of which one in ten is killed at a random moment, again and again: each round ends,
# when it is run once more, with the bytes of a round without kills, and nothing that was
# complete is made a second time.
# Usage: [SHARDS=20] [IMAGES=20] [ROUNDS=3] [JOBS=2] rounds.sh TOOLS.  IMAGES are those of a
# shard; all of it is SHARDS=1000 IMAGES=100 ROUNDS=20.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PATH=$(cd "$1" && pwd):$PATH
SHARDS=${SHARDS:-20} IMAGES=${IMAGES:-20} ROUNDS=${ROUNDS:-3} JOBS=${JOBS:-2}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp -r "$here/../../examples/04-cluster" "$tmp/study"
cd "$tmp/study"
fail() {
  echo "FAILED: $*"
  exit 1
}
study() {
  make -s SHARDS="$SHARDS" SEEDS=1 KINDS=softmax RUNS=1 \
    DIGITS="--train 300 --test $((SHARDS * IMAGES))" \
    TRAIN='--epochs 1 --held-out 30 --patch 4 --dim 16' SOLVE='--no-times' "$@"
}
sums() {
  cat out/solve-*.oa out/solve.txt | sha256sum
}
study out/model.bin
begin=$(date +%s.%N)
study "$(SHARDS=$SHARDS ./unit.sh list solve | head -1)"
seconds=$(echo "$begin $(date +%s.%N)" | awk '{ print $2 - $1 }')
study -j "$JOBS" out/solve.txt
oa-qubo -q out/model.bin out/digits/t10k-images-idx3-ubyte | oa-anneal -q --no-times |
  oa-score -q | cmp - out/solve.txt || fail 'the shards are not the whole'
sums >whole
killed=0
start=$(date +%s)
for round in $(seq "$ROUNDS"); do
  rm -rf out/solve* out/.solve* log
  # In another order each round; killed after a time within that of a unit, until one in ten is.
  SHARDS=$SHARDS ./unit.sh list solve | awk -v seed="$round" -v t="$seconds" '
    BEGIN { srand(seed) } { print rand(), $1, t * rand() }' | sort | cut -d' ' -f2- >plan
  dead=0
  while [ $((dead * 10)) -lt "$SHARDS" ] && read -r unit after; do
    setsid sh -c 'exec make -s "$@"' - SHARDS="$SHARDS" SOLVE=--no-times "$unit" 2>/dev/null &
    group=$!
    sleep "$after"
    env kill -KILL -- "-$group" 2>/dev/null && dead=$((dead + 1))
    wait "$group" 2>/dev/null || :
    echo "$unit" >>begun
  done <plan
  [ $((dead * 10)) -ge "$SHARDS" ] || fail "only $dead were killed: the others had ended"
  killed=$((killed + dead))
  # All others, as a cluster would have made them.
  cut -d' ' -f1 plan | sort - begun | uniq -u >others
  rm begun
  xargs -P "$JOBS" -n 100 make -s SHARDS="$SHARDS" SOLVE=--no-times <others
  find out -name 'solve-*.oa' -printf '%f %i %T@\n' | sort >complete
  study -j "$JOBS" out/solve.txt
  find out -name 'solve-*.oa' -printf '%f %i %T@\n' | sort | comm -23 complete - >changed
  [ ! -s changed ] || { cat changed; fail 'made again though complete'; }
  sums | cmp - whole || fail "round $round has other bytes"
  echo "round $round: the same bytes, $killed killed so far, $(($(date +%s) - start)) s"
done
echo "$ROUNDS rounds of $SHARDS shards of $IMAGES images, $killed killed: the same bytes"
