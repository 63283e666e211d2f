# The lines of PyTorch in oa-model(5) compute what the tools compute, run with numpy.
python=/usr/bin/python3
$python -c 'import numpy' 2>/dev/null || { echo "no numpy for $python"; exit 77; }
oa-digits -q -o digits --train 600 --test 40
oa-train -q -j 1 digits -o model.bin --epochs 1
oa-qubo -q model.bin digits | oa-anneal -q -j 1 -o solved.oa
oa-score solved.oa --csv scores.csv >/dev/null
PYTHONDONTWRITEBYTECODE=1 $python "$CASE_DIR/../../ref/manual_model.py" "$CASE_DIR/../../../man/oa-model.5" \
  model.bin digits/t10k-images-idx3-ubyte solved.oa scores.csv
