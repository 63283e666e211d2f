# Files written by older versions are read as before: models,
# a checkpoint, streams, a manifest and results.
v1=$DATA/written/v1
oa-digits -q -o d --train 300 --test 20
for model in model softmax; do
  oa-score -q --json --model "$v1/$model.bin" d/t10k-images-idx3-ubyte | grep -o '"images":[0-9]*'
done
oa-train -q d --patch 14 --dim 4 --token-mlp 4 --head 4 --epochs 2 --held-out 50 --seed 7 \
  --resume "$v1/checkpoint.bin" -o resumed.bin
cmp resumed.bin "$v1/model.bin"
(cd "$v1" && oa-view --check problems.oaqs && oa-view --check solutions.oaqs)
oa-anneal -q --no-times "$v1/problems.oaqs" | oa-score -q --csv solved.csv >/dev/null
oa-cim-ingest -q "$v1/manifest" "$v1/results" | oa-score -q --csv ingested.csv >/dev/null
oa-score -q --csv before.csv "$v1/solutions.oaqs" >/dev/null
cmp solved.csv before.csv && cmp ingested.csv before.csv && wc -l <before.csv
