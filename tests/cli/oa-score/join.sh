# Shards are joined in any order if they are complete; otherwise each reason is reported.
oa-digits -q -o d --train 60 --test 30 || exit 1
oa-train d -q -o m.bin --epochs 1 --held-out 10 --patch 7 --dim 8 || exit 1
oa-train d -q -o other.bin --epochs 1 --held-out 10 --patch 7 --dim 8 --seed 2 || exit 1
images=d/t10k-images-idx3-ubyte
shard() {
  oa-qubo -q m.bin $images --shard "$1" | oa-anneal -q --no-times -o "$2"
}
oa-qubo -q m.bin $images | oa-anneal -q --no-times -o whole.oa
for k in 0 1 2 3; do shard $k/4 part$k.oa || exit 1; done
oa-score -q whole.oa --csv whole.csv >whole.txt
oa-score -q --join part2.oa part0.oa part3.oa part1.oa --csv joined.csv >joined.txt
echo "status $?"
cmp whole.txt joined.txt && cmp whole.csv joined.csv && echo same
oa-score -q --join whole.oa | cmp - whole.txt && echo 'one file is a whole, too'
echo '== what may be wrong'
status oa-score -q --join part0.oa part3.oa
head -c 20000 part1.oa >cut.oa
oa-score -q --join part0.oa cut.oa part2.oa part3.oa
cp part1.oa again.oa
oa-score -q --join part*.oa again.oa --json
shard 1/5 fifth.oa
oa-score -q --join part0.oa fifth.oa part2.oa part3.oa
oa-qubo -q other.bin $images --shard 1/4 | oa-anneal -q --no-times -o part1.oa
oa-score -q --join part0.oa part1.oa part2.oa part3.oa
oa-qubo -q m.bin $images --shard 1/4 | oa-anneal -q --no-times --solver greedy -o part1.oa
oa-score -q --join part0.oa part1.oa part2.oa part3.oa
: >part1.oa
oa-score -q --join part0.oa part1.oa part2.oa part3.oa
rm part1.oa
status oa-score -q --join part0.oa part1.oa part2.oa part3.oa
status oa-score -q part0.oa part2.oa
status oa-score -q --join
