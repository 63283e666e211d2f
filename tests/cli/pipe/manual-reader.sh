# The reader in Python that oa-stream(5) shows, on streams, manifests and models.
find_numpy
awk '/^\.Ed/ { literal = 0 } literal && !/^\.Bd/; /^Reading a stream/ { wanted = 1 }
  wanted && /^\.Bd -literal/ { literal = 1; wanted = 0 }' "$CASE_DIR/../../../man/oa-stream.5" |
  sed 's/\\e/\\/g' >reader.py
grep -q 'def frames' reader.py || { echo "no reader in the manual"; exit 1; }
oa-digits -q -o d --train 40 --test 2
oa-train -q d -o m.bin --epochs 1 --patch 7 --dim 16 --checkpoint m.ckpt
oa-qubo -q m.bin d -o p.oa
oa-anneal -q p.oa -o s.oa
oa-cim-pack -q p.oa -o p.tar.gz
printf '{"linear":{"a":1,"b":-2},"quadratic":{"a,b":3}}' >one.json
oa-cim-pack -q one.json -o one.tar.gz
cat p.oa s.oa >two.oa
for file in m.bin m.ckpt p.oa s.oa two.oa p.manifest one.manifest; do
  echo "--- $file"
  $python reader.py <$file >shown || echo "status $?"
  sed 's/{.*}//' shown | sort | uniq -c | tr -s ' '
done
grep -o "'cim.levels': ([0-9]*,)" shown
$python reader.py <"$DATA/stream/v1/ok/two-parts.oa"
head -c 700 "$DATA/stream/v1/ok/problems.oa" | $python reader.py >out 2>&1 && echo "no error"
true
