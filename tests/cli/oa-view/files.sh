# Every kind of file that a tool writes is printed and checked.
quiet() { "$@" 2>/dev/null; }
oa-digits -q -o digits --train 60 --test 8
oa-tasks -q superposed --pictures -o overlays --memory 4 --sum 2 --asking 2 --labels 8 --train 40 --test 3
oa-tasks -q superposed -o vectors --memory 4 --sum 2 --asking 2 --labels 8 --train 40 --test 3
oa-train -q -j 1 digits -o model.bin --epochs 1 --log log.jsonl --csv log.csv --tensorboard events \
  --checkpoint run.ckpt
oa-qubo -q model.bin digits --first 1 -o problems.oa
oa-anneal -q -j 1 problems.oa -o solutions.oa
oa-score solutions.oa --json >score.json
oa-score --model model.bin digits --csv scores.csv >/dev/null
oa-cim-pack -q problems.oa -o mat.tar.gz
oa-cim-pack -q problems.oa --folder -o folder
quiet oa-cim-sim -q mat.tar.gz -o results
oa-cim-ingest -q mat.manifest results -o machine.oa
printf 'p qubo 0 3 2 1\n0 0 -1\n1 1 2\n0 1 -3.5\n' >a.qubo
oa-anneal -q --no-times a.qubo >results.jsonl
oa-anneal -q --no-times --solver sa --trace trace.jsonl a.qubo >/dev/null
for format in bqm coo mtx npy csv txt; do
  quiet oa-anneal -q --convert $format a.qubo >a.$format
done
oa-bench -q --kinds softmax,mlp --n 8 --d 8 --rounds 1 --csv bench.csv --json >bench.json
for suffix in png svg pdf eps; do
  oa-heatmap confusion scores.csv -o figure.$suffix
done
oa-heatmap confusion scores.csv >figure.txt
# Numbers that depend on the processor are left out: texts, shapes and counts stay.
plain() {
  sed -E 's/  (min|mean|max|bytes|seconds|lines) [-+.e0-9]+//g; s/[0-9,]+ (bytes|lines?)/N \1/g
    s/[0-9]\.[0-9]{5,}/X/g' | cut -c 1-100
}
for file in digits/task.json digits/train-images-idx3-ubyte overlays/t10k-tokens-idx2-int \
    overlays/t10k-vectors-idx3-ubyte vectors/t10k-vectors-idx3-float vectors/t10k-targets-idx3-int \
    log.jsonl log.csv events/* scores.csv mat.tar.gz folder/0.csv results/*_01.log results/*_01.pdf \
    a.* results.jsonl trace.jsonl bench.csv figure.*; do
  echo "--- ${file##*/}"
  oa-view "$file" | plain | head -n 6
  oa-view --check "$file" | plain
done
for file in model.bin run.ckpt problems.oa solutions.oa machine.oa mat.manifest score.json bench.json; do
  oa-view "$file" >out || echo "$file: status $?"
  [ -s out ] || echo "$file: nothing printed"
  oa-view --check "$file" | plain
done
# One JSON object for each of them.
find . -type f | grep -v -e '/folder/[1-9]' -e '_[1-9][0-9]*\.' -e '_0[2-9]\.' | while read -r file; do
  for how in --json '--json --check'; do
    oa-view -q $how "$file" >out
    python3 -c 'import json; assert "type" in json.load(open("out"))' ||
      echo "$file: no JSON"
  done
done 2>&1 | grep -v '^\./out' | grep 'no JSON'
oa-view --json results.jsonl | python3 -c 'import json, sys; print([c for c in json.load(sys.stdin)["columns"] if c["name"] in ("energy", "bound")])'
oa-view --json log.csv | python3 -c 'import json, sys; print([c["name"] for c in json.load(sys.stdin)["columns"]][:4])'

# Damaged input is refused.
damaged() { status oa-view --check "$1"; }
printf '{"a":1}\n{"a":\n' >cut.jsonl && damaged cut.jsonl
printf '{"a":\n[1,2}' >broken.json && damaged broken.json
printf 'a,b\n1,2\n3\n' >ragged.csv && damaged ragged.csv
head -c 100 events/* >cut.events && damaged cut.events
head -c 60 figure.png >cut.png && damaged cut.png
gzip -dc mat.tar.gz | head -c 5000 >cut.tar && damaged cut.tar
mkdir mat && printf '1,2\n3\n' >mat/0.csv && tar -cf wrong.tar mat && damaged wrong.tar
oa-view wrong.tar
head -c 30 overlays/t10k-tokens-idx2-int >cut.idx && damaged cut.idx
printf '[%.0s' $(seq 100) >deep.json && damaged deep.json
# A text of no known kind, and a table with quotation marks.
printf 'Once upon a time, there was a sentence.\n' >story && oa-view story
printf 'kind,config\na,"b,c"\n' | oa-view
