# The reference's own weights give the reference's own answers (needs OA_SHARED).
[ -n "${OA_SHARED:-}" ] || { echo "OA_SHARED is not set"; exit 77; }
images=$OA_SHARED/mnist/t10k-images-idx3-ubyte.gz
compare() {
  python3 - "$1" "$2" <<'P'
import csv, sys
a, b = (list(csv.DictReader(open(f))) for f in sys.argv[1:])
worst = max(abs(float(x[f"logits_{c}"]) - float(y[f"logits_{c}"]))
            for x, y in zip(a, b) for c in range(10))
print(sum(x["pred"] == y["pred"] for x, y in zip(a, b)), "of", len(a), worst < 1e-4)
P
}
for pair in binarised:admm softmax_attention:softmax; do
  weights=$OA_SHARED/reference/${pair%:*}.safetensors
  oa-score --model "$weights" "$images" --first 1000 --csv a.csv -o /dev/null || exit 1
  compare a.csv "$OA_SHARED/reference/eval_${pair#*:}_first1000.csv"
done
oa-qubo -q "$OA_SHARED/reference/binarised.safetensors" "$images" --first 1000 |
  oa-anneal -q --solver admm | oa-score --csv a.csv -o /dev/null || exit 1
compare a.csv "$OA_SHARED/reference/eval_admm_first1000.csv"
