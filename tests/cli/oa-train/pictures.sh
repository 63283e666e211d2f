# Sixty own pictures are learned, a model that has learned nothing is reported, and the
# tools that use a model make of pictures what its training did.
python3 "$CASE_DIR/../ref/make_shapes.py" shapes 20 20 || exit 1
small='--patch 4 --dim 16 --token-mlp 32 --head 32 -j 1'
oa-train -q shapes -o ink.bin --grey --invert --resize 24 $small --test || exit 1
oa-view ink.bin | grep -E 'batch|epochs|warmup|resized|grey|inverted'
oa-view ink.bin | awk '/test_accuracy/ { print ($3 > 0.6 ? "learned" : "test accuracy " $3) }'
echo '== too short'
oa-train shapes -o luck.bin --grey $small --epochs 1 2>&1 | sed -n '/warning/s/[0-9.]* %/N %/gp'
oa-view luck.bin | grep -E 'resized|grey|inverted'

echo '== tools make the same of pictures'
table() { oa-score -q ink.bin "$@" --csv -; }
table shapes >own
oa-qubo -q ink.bin shapes | oa-anneal -q --solver admm | oa-score -q --csv - | cut -d, -f1-4 >stream
cut -d, -f1-4 own | cmp - stream && echo 'as problems'
table shapes --invert | cmp - own && echo 'inverted once'
table shapes --fit | cmp - own && echo 'resized once'
oa-score ink.bin shapes --invert=false --csv - >other
cmp -s own other || echo 'not inverted if asked'
picture=$(ls shapes/test/triangle/* | head -n 1)
oa-qubo -q ink.bin "$picture" | oa-anneal -q -o one.oa
oa-heatmap sparsity one.oa --images "$picture" -o one.svg && echo 'drawn beside its choices'
oa-score ink.bin "$picture" --json | grep -o '"classes":[^]]*'
oa-score -q ink.bin shapes --invert=maybe
echo "status $?"
echo '== a training that begins with it'
oa-train -q shapes -o more.bin --grey --invert --resize 24 --init ink.bin --epochs 1 -j 1
oa-train shapes -o more.bin --grey --resize 24 --init ink.bin --epochs 1 -j 1 2>&1 | grep inverted
