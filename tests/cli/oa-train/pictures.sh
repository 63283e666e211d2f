# Sixty pictures of three classes are learned, a model that has learned nothing is reported, and the
# tools that use a model make of pictures what its training did.
oa-digits -q -o d --train 200 --test 100 &&
  python3 "$CASE_DIR/../ref/make_pictures.py" d own && rm -r own/paper/*/[3-9] || exit 1
small='--patch 4 --dim 16 --token-mlp 32 --head 32 -j 1'
oa-train -q own/paper -o ink.bin --grey --invert --resize 24 $small --test || exit 1
oa-view ink.bin | grep -E 'batch|epochs|warmup|resized|grey|inverted'
oa-view ink.bin | awk '/test_accuracy/ { print ($3 > 0.6 ? "learned" : "test accuracy " $3) }'
echo '== too short'
oa-train own/paper -o luck.bin --grey $small --epochs 1 2>&1 | sed -n '/warning/s/[0-9.]* %/N %/gp'
oa-view luck.bin | grep -E 'resized|grey|inverted'

echo '== tools make the same of pictures'
scores() { oa-score -q ink.bin "$@" --csv -; }
scores own/paper >table
oa-qubo -q ink.bin own/paper | oa-anneal -q --solver admm | oa-score -q --csv - | cut -d, -f1-4 >stream
cut -d, -f1-4 table | cmp - stream && echo 'as problems'
scores own/paper --invert | cmp - table && echo 'inverted once'
scores own/paper --fit | cmp - table && echo 'resized once'
oa-score ink.bin own/paper --invert=false --csv - >other
cmp -s table other || echo 'not inverted if asked'
picture=$(ls own/paper/test/2/* | head -n 1)
oa-qubo -q ink.bin "$picture" | oa-anneal -q -o one.oa
oa-heatmap sparsity one.oa --images "$picture" -o one.svg && echo 'drawn beside its choices'
oa-score ink.bin "$picture" --json | grep -o '"classes":[^]]*'
status oa-score -q ink.bin own/paper --invert=maybe
echo '== a training that begins with it'
oa-train -q own/paper -o more.bin --grey --invert --resize 24 --init ink.bin --epochs 1 -j 1
oa-train own/paper -o more.bin --grey --resize 24 --init ink.bin --epochs 1 -j 1 2>&1 | grep inverted
