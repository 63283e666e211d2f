# A training that begins with a model: tensors that fit are taken, heads come to share keys.
oa-digits -q -o d --train 300 --test 20 || exit 1
small='--held-out 100 --patch 7 --dim 16 --batch 20 -j 1'
own=softmax:heads=4,plain=true,output=true
shared=gqa:heads=4,groups=2,plain=true,output=true
kinds() {
  oa-view "$1" | sed -n 's/^  *oa.attention = //p'
}
oa-train d -q -o heads.bin $small --epochs 2 --attention $own || exit 1

# Another kind with the same tensors; nothing else changes.
oa-train d -q -o flash.bin --init heads.bin --held-out 100 --epochs 0 \
  --attention flash2:plain=true,output=true --heads 4 || exit 1
kinds flash.bin
oa-score --json --model heads.bin d/t10k-images-idx3-ubyte >a
oa-score --json --model flash.bin d/t10k-images-idx3-ubyte >b
python3 -c 'import json; a, b = (json.load(open(f)) for f in "ab"); print(a["correct"] == b["correct"])'

# The cost of a conversion is in the summary and in the log.
for how in mean first aligned svd; do
  oa-train d -o $how.bin --init heads.bin --held-out 100 --epochs 0 --attention $shared \
    --convert $how --log $how.log 2>text || exit 1
  sed 's/ loss .*, accuracy .* of/ of/; /^seed/d' text
  kinds $how.bin
  python3 -c 'import json, sys
for line in open(sys.argv[1]): j = json.loads(line); print(j["type"], j["epoch"], "validation_loss" in j)' $how.log
done
oa-train d -o json.bin --init heads.bin --held-out 100 --epochs 0 --attention $shared --convert mean --json >json
python3 -c 'import json; j = json.load(open("json")); print(list(j), list(j["initial"]))'
oa-train d -q -o quiet.bin --init heads.bin --held-out 100 --epochs 0 --attention $shared --convert mean -j 2
cmp mean.bin quiet.bin && echo same

# Gradually: the same bytes for any number of threads.
mix() {
  oa-train d -q --init heads.bin --attention $shared --convert mean --mixing 15 --held-out 100 \
    --epochs 2 --batch 20 "$@"
}
mix -o one.bin -j 1 --checkpoint c || exit 1
mix -o two.bin -j 2 || exit 1
cmp one.bin two.bin && echo same
kinds one.bin
mix -o three.bin --resume c && cmp one.bin three.bin && echo same
oa-train -q --resume c --epochs 0 -o four.bin && cmp one.bin four.bin && echo same

# The checkpoint belongs to another initial model.
try() { status oa-train d -q -o x.bin --held-out 100 --batch 20 "$@"; }
try --init flash.bin --attention $shared --convert mean --mixing 16 --epochs 2 --resume c
oa-train d -q -o flat.bin --init heads.bin --held-out 100 --epochs 1 --batch 20 --checkpoint c2
try --patch 7 --dim 16 --attention $own --epochs 1 --resume c2 2>err
sed 's/[0-9]\{6,\}/N/' err >&2

# Impossible values are refused.
try --init none
try --init heads.bin --attention $shared
try --init heads.bin --dim 32
try --init heads.bin --attention gqa:heads=2,plain=true,output=true --convert mean
try --init heads.bin --attention $shared --convert svd --mixing 5
try --init heads.bin --attention $shared --convert mean --mixing 10 --epochs 1
try --init heads.bin --mixing 5
try --convert mean
try --epochs 0
try --attention uniform --heads 4
oa-train d -q -o norms.bin $small --epochs 1 --attention softmax --heads 4 || exit 1
try --init norms.bin --attention gqa:heads=4,groups=2 --convert aligned

# A model that was trained on optima begins as it ended.
oa-train d -q -o exact.bin $small --epochs 1 --exact true --log exact.log || exit 1
oa-train d -q -o again.bin --init exact.bin --held-out 100 --exact true --epochs 0 --log again.log || exit 1
python3 -c '
import json
end, begin = (json.loads(open(f).readlines()[-1]) for f in ("exact.log", "again.log"))
print(begin["type"], begin["validation_loss"] == end["validation_loss"])'

# A pattern from a file is in the model.
{ echo 16; for q in $(seq 16); do echo 0-3; done; } >pattern
oa-train d -q -o csr.bin $small --epochs 1 --attention csr:file=pattern,heads=2 || exit 1
kinds csr.bin
try --attention csr:file=nowhere
echo 17-18 >>pattern
try --attention csr:file=pattern
