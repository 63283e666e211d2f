# The report of solutions agrees with the frames.
oa-digits -q -o digits --train 300 --test 12 --seed 3 || exit 1
oa-train digits -q -o model.bin --epochs 1 --held-out 50 2>/dev/null || exit 1
oa-qubo -q model.bin digits/t10k-images-idx3-ubyte | oa-anneal -q --no-times -o s.oa || exit 1
oa-score s.oa --json >report.json || exit 1
oa-score s.oa | grep -E '^(images|QUBOs|proved|values)' |
  sed '/^values/s/[0-9][0-9.]*/N/g'
python3 - <<'EOF'
import json, statistics
from frames import frames
chosen = []
for header, _, data, _ in frames("s.oa"):
    if "x" in header:
        n, m = header["x"]["shape"]
        x = data[slice(*header["x"]["data_offsets"])]
        chosen.append([sum(x[i * m:(i + 1) * m]) for i in range(n)])
r = json.load(open("report.json"))
flat = sorted(c for image in chosen for c in image)
by_query = [statistics.mean(image[i] for image in chosen) for i in range(len(chosen[0]))]
print(len(chosen), len(flat), len(by_query))
print(abs(r["values_mean"] - statistics.mean(flat)) < 1e-12,
      r["values_min"] == flat[0], r["values_max"] == flat[-1],
      r["values_median"] == statistics.median_low(flat),
      all(abs(a - b) < 1e-12 for a, b in zip(r["values_by_query"], by_query)))
EOF
# A table on standard output takes the place of the report.
oa-score s.oa --csv - >table.csv
head -n 1 table.csv
wc -l <table.csv
oa-score s.oa --csv - -o report.txt | cmp - table.csv
oa-score s.oa | cmp - report.txt
