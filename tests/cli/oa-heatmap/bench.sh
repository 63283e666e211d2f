# Figures of oa-bench: the numbers of the figure, the figure, and files of other kinds.
row() {  # KIND CONFIG N MS
  echo "{\"kind\":\"$1\",\"config\":\"$2\",\"n\":$3,\"flops\":${3}000,\"traffic_bytes\":100,\"arena_bytes\":${3}0,\"ms\":{\"median\":$4}}"
}
machine='"machine":{"processor":"P","fma_gflops":100.0,"copy_gbs":10.0}'
echo "{$machine,\"rows\":[$(row a a:x=1 1000 1.0),$(row b b:x=1 10 0.1),$(row b b:x=2 10 0.2),
  $(row a a:x=1 10 0.01),{\"kind\":\"c\",\"config\":\"c\",\"unsupported\":\"no\"}]}" >b.json
oa-heatmap bench b.json --json
oa-heatmap bench <b.json
oa-heatmap bench b.json -o b.svg && grep -c '<svg' b.svg
fails() { status oa-heatmap bench -o p.svg; }
fails </dev/null
echo '[]' | fails
echo '{"machine":{},"rows":[]}' | fails
echo "{$machine}" | fails
echo "{$machine,\"rows\":[]}" | fails
echo "{$machine,\"rows\":[7]}" | fails
echo "{$machine,\"rows\":[$(row a a 10 0)]}" | fails
echo "{$machine,\"rows\":[$(row a a 10 '"1"')]}" | fails
echo "{$machine,\"rows\":[$(row a a -1 1)]}" | fails
echo "{$machine,\"rows\":[$(row a a 1e99 1)]}" | fails
ls
# Accuracies against times at the smallest n; what was not measured there is left out.
echo '{"attention":"a:x=1","name":"first","accuracy":0.9,"accuracy_sd":0.05}
{"attention":"b:x=2","accuracy":0.5,"accuracy_sd":null}

{"attention":"c","accuracy":0.1}' >models
oa-heatmap bench b.json --accuracy models --json
oa-heatmap bench b.json --accuracy models
oa-heatmap bench b.json --accuracy models -o a.svg && grep -c '<svg' a.svg
for line in '' '7' '{"attention":"a"}' '{"accuracy":0.5}' '{"attention":"a","accuracy":1.5}' \
    '{"attention":"a","accuracy":0.5,"accuracy_sd":-1}' '{"attention":"c","accuracy":0.5}' \
    '{"attention":"a","accuracy":[[[[[0]]]]]}'; do
  echo "$line" >bad
  status oa-heatmap bench b.json --accuracy bad -o p.svg
done
status oa-heatmap curves --accuracy models log
# From one tool into the other.
oa-bench -q --n 8,16 --d 8 --kinds mlp,softmax --rounds 1 --json | status oa-heatmap bench -o both.png
