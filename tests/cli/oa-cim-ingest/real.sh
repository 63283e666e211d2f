# 20 real logs and reports: by themselves, together, shuffled, without a manifest.
[ -n "${OA_SHARED:-}" ] || { echo "OA_SHARED is not set"; exit 77; }
real=$OA_SHARED/cim/returned
oa-qubo -q "$OA_SHARED/reference/binarised.safetensors" \
  "$OA_SHARED/mnist/t10k-images-idx3-ubyte.gz" --index 22 |
  oa-cim-pack -q -o mat.tar.gz || exit 1
look() {
  status oa-cim-ingest --json "$@" -o out.oa 2>err
  tail -n 1 err | python3 -c 'import json, sys; r = json.load(sys.stdin)
print(*(f"{k} {r[k]}" for k in ("tasks", "received", "energies_verified",
  "best_is_optimal", "duplicate", "renamed", "run_ms_mean", "run_ms_max")))'
}
same() { python3 "$CASE_DIR/../../ref/same_x.py" both.oa out.oa; }
image() {
  oa-score -q --csv out.csv out.oa >/dev/null
  python3 -c 'import csv; r = next(csv.DictReader(open("out.csv")))
print(r["pred"], *(f"{float(r[k]):.3f}" for k in ("logits_6", "logits_4")))'
}
look mat.manifest "$real"/*.log --missing exact
image
look mat.manifest "$real"/*.pdf --missing original
image
look mat.manifest "$real" --missing exact
cp out.oa both.oa
# Under the names of others: logs backwards, reports by the last digit of their names.
mkdir r && i=0
for f in $(ls -r "$real"/*.log) $(ls "$real"/*.pdf | sed 's/.*\(.\)\.pdf$/\1 &/' | sort | cut -d' ' -f2); do
  i=$((i + 1))
  cp "$f" "r/OptimizingAttention0-19_$(printf %02d $(((i - 1) % 20 + 1))).${f##*.}"
done
look mat.manifest r --missing exact
same
look --matrices "$OA_SHARED/cim/submitted/mat" "$real"
# Run times as the reference has them.
python3 - "$OA_SHARED/reference/cim_49_runs.csv" <<'P'
import csv, json, sys
from frames import frames
known = {int(r["task"]): float(r["runtime_ms"]) for r in csv.DictReader(open(sys.argv[1]))}
seen = {r["task"]: r["run_ms"] for _, meta, _, _ in frames("out.oa") for r in json.loads(meta.get("cim.results", "[]"))}
print(len(seen), all(known[t] == ms for t, ms in seen.items()))
P
