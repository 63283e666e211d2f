# Maps of tokens: sequences and texts with what they say, scenes over the picture, overlays
# beside their pictures; and what softmax weighs values by.
learn() {
  oa-train -q -j 1 --epochs 1 "$@"
}
solve() {
  oa-qubo -q "$1.bin" "$2" --first 2 | oa-anneal -q -j 1 -o "$1.oa"
}
names() {
  python3 -c '
import json, sys
map = json.load(sys.stdin)
print(len(map["query_names"]), " ".join(map["query_names"]))
print(len(map["value_names"]), " ".join(map["value_names"]))'
}
oa-tasks -q recall -o recall --pairs 3 --keys 6 --train 60 --test 3
learn recall -o recall.bin
solve recall recall
oa-heatmap sparsity recall.oa --images recall --image 1 --json | names
oa-heatmap sparsity recall.oa --images recall --columns 40 | sed -n '/^ *[0-9]/p' | tr -cd '0-9\n'

yes 'the dog. ' | head -n 200 >text
learn --text text --context 12 -o text.bin
solve text text
oa-heatmap sparsity text.oa --images text --json | names

oa-tasks -q superposed --pictures -o overlays --memory 4 --sum 2 --asking 2 --labels 8 --train 60 --test 3
learn overlays -o overlays.bin
solve overlays overlays
oa-heatmap sparsity overlays.oa --images overlays --json | names
oa-heatmap sparsity overlays.oa --images overlays -o overlays.svg && grep -c 'stroke-width:2;' overlays.svg

oa-tasks -q scenes -o scenes --train 60 --test 3
learn scenes -o scenes.bin
solve scenes scenes
oa-heatmap sparsity scenes.oa --images scenes --image 1 | grep -c Query-

oa-digits -q -o digits --train 60 --test 5
learn digits --attention softmax -o softmax.bin
learn digits -o optimizing.bin
check='
import json, sys
map = json.load(sys.stdin)
sums = [sum(row) for row in map["value"]]
print(map["images"], map["queries"], map["values"], min(sums) > 0.999, max(sums) < 1.001)'
oa-heatmap sparsity softmax.bin digits --image 3 --json | python3 -c "$check"
oa-heatmap sparsity softmax.bin digits --mean --json | python3 -c "$check"
oa-heatmap sparsity softmax.bin digits --image 3 | sed -n 2,3p
learn digits --attention mlp -o mlp.bin
for line in 'softmax.bin digits --image 5' 'softmax.bin digits --layer 1' 'softmax.bin digits --head 1' \
  'softmax.bin digits --images digits' 'recall.oa --layer 0' 'optimizing.bin digits' 'mlp.bin digits' \
  'softmax.bin recall' 'recall.oa --images digits' 'a b c'; do
  status oa-heatmap sparsity $line
done
