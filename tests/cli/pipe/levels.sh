# Coefficients of several levels: posed in four encodings, solved in levels or as spins,
# scored, packed and read back, they give one answer; what violates is counted.
oa-digits -q -o d --train 300 --test 60 || exit 1
images=d/t10k-images-idx3-ubyte
oa-train -q d -o m.bin --recipe reference --epochs 1 --held-out 10 -j 1 --coefficients continuous
heads() { oa-view --json "$1" | grep -o '"oa.\(coefficients\|levels\|encoding\)":"[a-z0-9-]*"'; }
echo "--- two levels are binary"
oa-qubo -q m.bin $images --first 4 --coefficients binary | oa-anneal -q --no-times >two.oa
oa-qubo -q m.bin $images --first 4 --levels 2 | oa-anneal -q --no-times >levels.oa
heads levels.oa
for stream in two levels; do
  oa-view --json $stream.oa | grep -v '"oa.history"' >$stream.json
  oa-score -q $stream.oa --csv $stream.csv -o report
done
cmp two.json levels.json && cmp two.csv levels.csv && echo equal
echo "--- every encoding"
oa-score -q --model m.bin $images --first 4 --levels 4 --layer-by-layer --csv model.csv -o report
for encoding in binary unary one-hot domain-wall; do
  oa-qubo m.bin $images --first 4 --levels 4 --encoding $encoding -o $encoding.oa
  oa-anneal -q --no-times $encoding.oa >solved.oa
  heads solved.oa
  oa-view --check solved.oa
  oa-score -q solved.oa --csv $encoding.csv -o report
  grep violated report
  cmp $encoding.csv binary.csv
  oa-heatmap sparsity -q solved.oa -o s.svg && echo drawn
done
cut -d, -f1-4 binary.csv >binary.classes
cut -d, -f1-4 model.csv | cmp - binary.classes && echo "as the model itself"
oa-anneal -q --no-times --solver exact binary.oa | oa-score -q --csv exact.csv -o report
cmp exact.csv binary.csv && echo "the same optima as a QUBO of spins"
oa-qubo -q --json m.bin $images --first 1 --levels 4 --encoding unary 2>&1 >/dev/null
oa-qubo m.bin $images --first 1 --levels 4 --encoding unary --json >/dev/null
echo "--- a scale for each query"
oa-qubo -q m.bin $images --first 4 --levels 4 --level-scale query | oa-anneal -q --no-times | oa-view --check
echo "--- a penalty that is too small"
# How much is needed depends on the last bits of a model.
oa-qubo m.bin $images --first 1 --levels 4 --encoding one-hot --penalty 0 -o loose.oa 2>said
sed 's/(0\.[0-9]* /(N /' said >&2
oa-anneal --no-times --seed 1 --solver greedy --json loose.oa 2>summary >loose.solved
grep -o '"encoded":[0-9]*' summary
oa-score loose.solved | grep violated | sed 's/ [0-9,]* of/ N of/'
echo "--- to the machine and back"
oa-cim-pack -q --precision best binary.oa -o mat.tar.gz &&
  oa-cim-sim -q mat.tar.gz -o results &&
  oa-cim-ingest -q mat.manifest results | oa-score -q --csv machine.csv -o report
cut -d, -f1-4 machine.csv | cmp - binary.classes && echo "the same classes"
status oa-cim-pack -q --spins 100 one-hot.oa -o no.tar.gz
echo "--- the lasso: values and their negatives"
oa-train -q d -o lasso.bin --epochs 1 --dim 8 --patch 7 --coefficients lasso --lambda 2
oa-qubo lasso.bin $images --first 4 --levels 4 --level-scale image -o lasso.oa
oa-anneal -q --no-times lasso.oa -o solved.oa && oa-view --check solved.oa
oa-anneal -q --no-times --solver exact lasso.oa | oa-score -q --csv spins.csv -o report
oa-score -q solved.oa --csv lasso.csv -o report && cmp spins.csv lasso.csv && echo "the same optima as a QUBO of spins"
oa-cim-pack -q --force lasso.oa -o mat.tar.gz &&
  oa-cim-sim -q mat.tar.gz -o results &&
  oa-cim-ingest -q mat.manifest results | oa-view --check
status oa-score lasso.bin $images --levels 4
echo "--- refused"
try() {
  "$@" >out
  echo "status $?, $(wc -c <out) bytes"
}
try oa-qubo m.bin $images --levels 1
try oa-qubo m.bin $images --levels 17
try oa-qubo m.bin $images --levels 4 --encoding gray
try oa-qubo m.bin $images --coefficients levels
try oa-qubo m.bin $images --coefficients lasso --levels 4
try oa-train -q d -o no.bin --coefficients levels
try oa-train -q d -o no.bin --levels 17
