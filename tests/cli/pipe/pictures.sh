# The same pictures as IDX, PNG, PPM and .npy files that Python wrote: the same models,
# problems and classes.
oa-digits -q -o d --train 400 --test 60 || exit 1
python3 "$CASE_DIR/../ref/make_pictures.py" d own || exit 1
train() {
  name=$1
  shift
  oa-train -q -o "$name" --epochs 3 --patch 7 --dim 16 --batch 10 --held-out 50 "$@" || exit 1
}
# The probabilities of all pictures, in any order, with the class of each.
answers() { oa-score -q "$@" --csv - | cut -d, -f2- | sort; }

train idx.bin d
train npy.bin --images own/train_images.npy
cmp idx.bin npy.bin && echo same model of .npy
oa-qubo -q idx.bin d/t10k-images-idx3-ubyte -o idx.oa
oa-qubo -q idx.bin own/test_images.npy -o npy.oa
for s in idx npy; do oa-view $s.oa | grep -v history; done | sort | uniq -u
echo the same problems

answers idx.bin d >idx
answers idx.bin own/tree >png
answers idx.bin own/paper/test --fit --invert >ppm
wc -l <png
cmp idx png && echo the same answers for PNG
# Twice as large and back, pixels see their neighbours: the classes stay.
cut -d, -f1,2 ppm | sort >classes
cut -d, -f1,2 idx | sort | diff - classes | grep -c '<'
train tree.bin own/tree --first 300 --test
train tree2.bin own/tree --first 300
cmp tree.bin tree2.bin >/dev/null || echo only the test accuracy differs
train half.bin own/tree --resize 14x21 --grey --invert
oa-view half.bin | grep -E 'rows|cols|classes'

# One picture: its class, the same in every way.
oa-score -q idx.bin d --csv all.csv -o /dev/null
picture=$(ls own/tree/test/*/00007.png)
oa-score -q idx.bin "$picture" --csv one.csv --json | python3 -c '
import csv, json, sys
one = json.load(sys.stdin)
row = list(csv.DictReader(open("all.csv")))[7]
print(one["class"] == int(row["pred"]), one["probabilities"] == [
    float(row["logits_%d" % k]) for k in range(10)])'
oa-score idx.bin "$picture" | sed 's/[0-9][0-9.]*/N/g'
oa-score - <"$picture" --model idx.bin --top-k 3 | sed 's/[0-9][0-9.]*/N/g'

# Folders name their classes, and a model keeps the names.
cp -r own/tree own/words
for part in train test; do
  mv own/words/$part/0 own/words/$part/zero
  mv own/words/$part/1 own/words/$part/one
done
train words.bin own/words --first 300
one=$(ls own/words/test/zero/* | head -n 1)
oa-score -q words.bin "$one" --json >one.json
oa-score -q words.bin "$one" | sed -n 's/^class *\([^ ]*\) .*/\1/p' >class
python3 -c '
import json
one = json.load(open("one.json"))
print(one["classes"], one["classes"][one["class"]] == open("class").read().strip())'
oa-score -q words.bin own/words | tail -n 1

# Options that do not fit are refused.
status oa-score idx.bin own/paper/test
status oa-score idx.bin own/paper/test/7
status oa-train -q -o x.bin own/paper/test --test
status oa-train -q -o x.bin own/paper/test/7
status oa-train -q -o x.bin own/tree --resize 0
status oa-train -q -o x.bin own/tree --resize 28x
printf 'GIF89a' >gif.png
status oa-score -q idx.bin gif.png
mkdir loose && cp "$picture" own/tree/test/*/00008.png loose
oa-score idx.bin loose | sed 's/[0-9][0-9.]*/N/g'
status oa-score --fit idx.oa
