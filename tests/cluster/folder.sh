#!/bin/sh
# The folder of a study fills up, and is taken away while units run: they fail and say why,
# and when there is room again, the same command makes what is missing, to the same bytes.
# Usage: folder.sh TOOLS.  Status 77: nothing can be mounted here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PATH=$(cd "$1" && pwd):$PATH
export PATH
if [ -z "${IN_NAME_SPACE-}" ]; then
  unshare --mount true 2>/dev/null || { echo 'no name spaces here'; exit 77; }
  tmp=$(mktemp -d)
  trap 'rm -rf "$tmp"' EXIT
  IN_NAME_SPACE=$tmp unshare --mount "$here/folder.sh" "$1"
  exit
fi
cd "$IN_NAME_SPACE"
fail() {
  echo "FAILED: $*"
  exit 1
}
cp -r "$here/../../examples/04-cluster" study
cd study
study() {
  make -s -k -j2 SHARDS=20 SEEDS=1 KINDS=softmax RUNS=1 DIGITS='--train 300 --test 200' \
    TRAIN='--epochs 1 --held-out 30 --patch 4 --dim 16' SOLVE=--no-times "$@"
}
done_units() {
  find out/ -name 'solve-*.oa' | wc -l
}
study out/solve.txt
cat out/solve-*.oa out/solve.txt | sha256sum >../whole
size=$(cat out/solve-*.oa | wc -c)
rm out/solve*

mkdir ../place
mount -t tmpfs -o size=$((size / 2)) none ../place 2>/dev/null || { echo 'cannot mount'; exit 77; }
cp -r out ../place/out
mv out out.before
ln -s ../place/out out
study out/solve.txt 2>err && fail 'finished in half of the room'
cat log/solve-*.err | grep -q 'No space left on device' || fail 'no word of a full folder'
there=$(done_units)
[ "$there" -gt 0 ] && [ "$there" -lt 20 ] || fail "$there of 20 units"
for file in out/solve-*.oa; do
  oa-view -q --check "$file" >/dev/null || fail "$file is cut"
done
echo "full: $there of 20 units, all whole"

mount -o remount,size=$((size * 2)) ../place
study out/solve.txt 2>err &
while [ "$(done_units)" -lt $((there + 2)) ]; do sleep 0.01; done
mv ../place/out ../place/away
wait $! && fail 'finished without its folder'
mv ../place/away ../place/out
there=$(done_units)
[ "$there" -lt 20 ] || fail 'nothing was left to do'
echo "gone and back: $there of 20 units"
find out/ -name 'solve-*.oa' -printf '%f %i %T@\n' | sort >../complete
study out/solve.txt
find out/ -name 'solve-*.oa' -printf '%f %i %T@\n' | sort | comm -23 ../complete - | grep . && fail 'made again'
cat out/solve-*.oa out/solve.txt | sha256sum | cmp - ../whole || fail 'other bytes'
echo 'with room: the same bytes'
