# The lines of --top-k and --wrong agree with the table of predictions.
oa-digits -q -o digits --train 300 --test 40 --seed 3 || exit 1
oa-train digits -q -o model.bin --epochs 1 --held-out 50 2>/dev/null || exit 1
oa-qubo -q model.bin digits/t10k-images-idx3-ubyte | oa-anneal -q --no-times -o s.oa || exit 1
oa-score s.oa --csv table.csv --json --top-k 3 --wrong >report.json || exit 1
oa-score s.oa --top-k 3 --wrong >report.txt || exit 1
python3 - <<'EOF'
import csv, json
rows = list(csv.DictReader(open("table.csv")))
p = [[float(row[f"logits_{k}"]) for k in range(10)] for row in rows]
labels = [int(row["label"]) for row in rows]
within = [sum(q > own[label] for q in own) < 3 for own, label in zip(p, labels)]
wrong = [int(row["idx"]) for row in rows if row["pred"] != row["label"]]
r = json.load(open("report.json"))
print(r["top_k"], r["top_k_accuracy"] == sum(within) / len(within), r["wrong"] == wrong,
      r["correct"] == len(rows) - len(wrong), 0 < len(wrong) < len(rows))
text = open("report.txt").read()
print("within 3 best" in text, text.endswith("wrong: " + " ".join(map(str, wrong)) + "\n"))
EOF
