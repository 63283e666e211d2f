# From drawn digits to a score: every image counted once, every problem proved, whatever -j.
oa-digits -q -o digits --train 300 --test 20 || exit 1
oa-train digits -q -o model.bin --epochs 1 --held-out 50 -j 1 2>/dev/null || exit 1
for j in 1 2; do
  oa-qubo -q model.bin digits/t10k-images-idx3-ubyte -j $j |
    oa-anneal -q --no-times -j $j -o $j.oa || exit 1
done
cmp 1.oa 2.oa
oa-score --json 1.oa | python3 -c 'import json, sys
r = json.load(sys.stdin)
print(r["images"], r["labelled"], r["qubos"], r["proved_optimal"], r["complete"])'
