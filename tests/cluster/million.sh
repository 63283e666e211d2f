#!/bin/sh
# Poses, solves and scores the problems of a million generated digits, 49 to an image, in
# shards of which only the answers are kept: 68 kB an image would fill 68 GB.  Prints
# core-seconds and bytes of each step, and the accuracy.
# Usage: [IMAGES=1000000] [SHARDS=1000] [JOBS=2] million.sh TOOLS
set -eu
PATH=$(cd "$1" && pwd):$PATH
IMAGES=${IMAGES:-1000000} SHARDS=${SHARDS:-1000} JOBS=${JOBS:-2}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
export PATH SHARDS
oa-digits -q -o digits --train 2000 --test "$IMAGES"
oa-train digits -q -o model.bin --epochs 2

cat >shard.sh <<'END'
k=$1
images=digits/t10k-images-idx3-ubyte
labels=digits/t10k-labels-idx1-ubyte
# Seconds of a core that the command took, into a file.
timed() {
  name=$1
  shift
  "$@" && times >"seconds.$k.$name"
}
# Hands on what it reads, and counts it.
counted() {
  dd bs=64k 2>"bytes.$k.$1"
}
timed oa-qubo oa-qubo -q -j 1 model.bin $images --labels $labels --shard "$k/$SHARDS" |
  counted oa-qubo | timed oa-anneal oa-anneal -q -j 1 --no-times | counted oa-anneal |
  timed oa-score oa-score -q -j 1 --csv "answers.$k" >/dev/null
END
begin=$(date +%s)
seq 0 $((SHARDS - 1)) | xargs -P "$JOBS" -n 1 sh -e shard.sh
end=$(date +%s)
[ "$(cat answers.* | grep -c '^[0-9]')" = "$IMAGES" ] || { echo 'FAILED: images are missing'; exit 1; }
[ -z "$(cat answers.* | grep '^[0-9]' | cut -d, -f1 | sort -n | uniq -d | head -1)" ] ||
  { echo 'FAILED: an image is there twice'; exit 1; }
echo "$IMAGES images, $((IMAGES * 49)) problems, $SHARDS shards, $JOBS at a time: $((end - begin)) s"
for tool in oa-qubo oa-anneal oa-score; do
  bytes=$(cat bytes.*.$tool 2>/dev/null | awk '/copied/ { sum += $1 } END { printf "%.0f", sum }')
  tail -qn 1 seconds.*.$tool | awk -F'[ms ]+' -v name=$tool -v bytes="$bytes" '
    { sum += $1 * 60 + $2 + $3 * 60 + $4 }
    END { printf "%-10s %8.1f core-seconds %15.0f bytes\n", name, sum, bytes }'
done
cat answers.* | awk -F, '/^[0-9]/ { sum += $4 == "True" } END { printf "accuracy %.4f %%\n", 100 * sum / '"$IMAGES"' }'
