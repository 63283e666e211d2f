# Options that do not fit the model or the images: one line, status 2 or 3, no output.
oa-digits -q -o d --train 60 --test 20 || exit 1
images=d/t10k-images-idx3-ubyte
oa-train -q -o m.bin --recipe reference --epochs 1 --held-out 10 -j 1 d || exit 1
oa-train -q -o places.bin --recipe reference --epochs 1 --held-out 10 -j 1 --pooling concat d || exit 1
try() { status oa-qubo -o none.oa "$@"; }
try m.bin $images --index 3,18-20
try m.bin $images --index 3 --first 2
cp "$DATA/idx/v1/ok/images.idx" small
try m.bin small
cp "$DATA/idx/v1/bad/claim.idx" claim
try m.bin claim
oa-score --model m.bin - 2>&1 <claim
head -c 17 claim | oa-score --model m.bin - 2>&1
try m.bin $images --shard 2/2
try m.bin $images --stride 0
try m.bin $images --coefficients whole
try places.bin $images --stride 3
try $images m.bin
oa-qubo -q m.bin $images --first 21 | oa-view --check
for kind in binary continuous; do
  oa-qubo -q m.bin $images --first 1 --coefficients $kind | oa-view | grep 'oa.coefficients ='
done
rm claim
ls -A
