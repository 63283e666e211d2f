#!/bin/sh
# kill -9 at random moments: a training that is resumed after it, and a packing that
# starts again beside its remains, end with the same bytes as without kills; the file
# that was being written is whole or absent.  The next kill hits the resumed training.
# Usage: kills.sh TOOLS KILLS [SEED]
set -u
PATH=$(cd "$1" && pwd):$PATH
wanted=$2
seed=${3:-1}
LC_ALL=C
export PATH LC_ALL
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99

# A moment within the time that the whole command takes, in seconds.
moment() {
  draw=$((draw + 1))
  awk -v seed="$((seed * 100003 + draw))" -v most="$1" 'BEGIN {
    srand(seed); rand(); printf "%.4f", rand() * most }'
}
draw=0

now() { date +%s%N; }

oa-digits -q -o d --train 60 --test 8 || exit 99
train() {
  oa-train d -q -o "$1.bin" --recipe reference --epochs 6 --held-out 10 --patch 14 \
    --dim 2 --batch 10 -j 2 --checkpoint "$1.ckpt" ${2:+--resume "$2"}
}
# Enough images for an interruption.
pack() { oa-cim-pack -q big.oa -o "$1.tar.gz"; }
# compare NAME SUFFIX...: the files of finished commands
compare() {
  name=$1
  shift
  for end in "$@"; do
    cmp "whole.$end" "$name.$end" || return
  done
  same=$((same + 1))
}

begin=$(now)
train whole || exit 99
train_s=$(awk -v ns=$(($(now) - begin)) 'BEGIN { print ns / 1e9 }')
oa-qubo -q whole.bin d/t10k-images-idx3-ubyte -o p.oa || exit 99
for i in 1 2 3 4 5 6 7 8 9 10; do cat p.oa; done >big.oa
begin=$(now)
pack whole || exit 99
pack_s=$(awk -v ns=$(($(now) - begin)) 'BEGIN { print ns / 1e9 }')

bad=0
# kill_at LIMIT COMMAND...: whether it was killed before its end
kill_at() {
  limit=$1
  shift
  "$@" 2>err &
  sleep "$(moment "$limit")"
  kill -9 $! 2>/dev/null
  wait $! 2>/dev/null
  [ $? = 137 ]
}

# The checkpoint of a killed training, if it has written one.
checkpoint() { [ ! -e killed.ckpt ] || echo killed.ckpt; }

kills=0 same=0
while [ $kills -lt "$wanted" ]; do
  if kill_at "$train_s" train killed $(checkpoint); then
    kills=$((kills + 1))
    [ ! -e killed.bin ] || cmp whole.bin killed.bin || bad=$((bad + 1))
    train resumed $(checkpoint)
    compare resumed bin
    rm -f resumed.*
  else
    cmp whole.bin killed.bin || bad=$((bad + 1))
    rm -f killed.*  # start again
  fi
done
trained="$kills $same"
[ $same = $kills ] || bad=$((bad + 1))

kills=0 same=0
while [ $kills -lt "$wanted" ]; do
  rm -f killed.tar.gz killed.manifest
  if kill_at "$pack_s" pack killed; then
    kills=$((kills + 1))
    for end in tar.gz manifest; do
      [ ! -e killed.$end ] || cmp "whole.$end" killed.$end || bad=$((bad + 1))
    done
    pack killed
    compare killed tar.gz manifest
  fi
done
[ $same = $kills ] || bad=$((bad + 1))

# row WHAT KILLS SAME
row() { printf '| %-8s | %5s | %23s |\n' "$@"; }
row what kills 'resumed, the same bytes'
row --- --- ---
row training $trained
row packing $kills $same
[ $bad = 0 ]
