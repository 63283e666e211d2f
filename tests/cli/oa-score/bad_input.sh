# Streams that cannot be scored: one line each, and the status of the cause.
try() {
  echo "-- $*"
  "$@" 2>&1 | sed 's/-\{0,1\}[0-9]*\.[0-9][0-9]*/E/g'
}
oa-digits -q -o digits --train 300 --test 4 --seed 3 || exit 1
oa-train digits -q -o model.bin --epochs 1 --held-out 50 2>/dev/null || exit 1
oa-train digits -q -o other.bin --epochs 1 --held-out 50 --seed 2 2>/dev/null || exit 1
images=digits/t10k-images-idx3-ubyte
oa-qubo -q model.bin $images --first 2 -o problems.oa || exit 1
oa-anneal -q --no-times problems.oa -o a.oa || exit 1
oa-qubo -q other.bin $images --index 2 | oa-anneal -q --no-times -o b.oa || exit 1
try oa-score problems.oa
cat a.oa b.oa >mixed.oa
try oa-score mixed.oa
# A solution whose x was changed, so that its energy no longer holds.
python3 - <<'EOF'
from frames import frames
changed = bytearray(open("a.oa", "rb").read())
at = next(at + header["x"]["data_offsets"][0] for header, _, _, at in frames("a.oa")
          if "x" in header)
changed[at + 5] ^= 1
open("changed.oa", "wb").write(changed)
EOF
try oa-score changed.oa
try oa-score /dev/null
printf 'idx,label\n1,2\n' >table.csv
try oa-score --compare table.csv a.oa
try oa-score --compare a.oa
try oa-score --compare a.oa --json
try oa-score --compare a.oa a.oa a.oa
try oa-score a.oa --compare a.oa a.oa
try oa-score --compare a.oa a.oa --model model.bin
try oa-score --model model.bin missing.idx
