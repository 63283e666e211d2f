# Runs that hit the optimum, of all that came back.
printf '3 3\n1 2 1\n2 3 1\n1 3 -2\n' >g.rud
oa-cim-pack -q -o g.tar.gz g.rud
python3 - <<'END'
import os, struct
rows = 3 * [1, -1, 1] + 5 * [1, 1, 1] + 2 * [-1, 1, 1]
head = "{'descr': '|i1', 'fortran_order': False, 'shape': (10, 3), }".ljust(117) + "\n"
os.mkdir("mixed")
with open("mixed/0.npy", "wb") as f:
    f.write(struct.pack("<8sH118s30b", b"\x93NUMPY\1\0", 118, head.encode(), *rows))
END
oa-cim-ingest --tasks --json g.manifest mixed 2>&1 >/dev/null |
  grep -o '"\(runs\|optimum_hits\|optimum_runs\|distinct\|rate[a-z_]*\|run_ms\|ms_to_99\)":[^,}]*'
# The machine's milliseconds come from reports: a run each.
for seed in 1 2 3 4; do
  oa-cim-sim -q g.tar.gz -o s$seed --seed $seed
done
oa-cim-ingest --tasks --json g.manifest s1 s2 s3 s4 2>&1 >/dev/null | python3 -c '
import json, math, sys
t = json.loads(sys.stdin.readlines()[-1])["by_task"][0]
print(t["runs"], t["optimum_hits"], t["rate"], round(t["rate_low"], 4), t["rate_high"])
print(t["ms_to_99"] == t["run_ms"], math.isclose(t["ms_to_99_high"], t["run_ms"] * math.log(0.01) / math.log(1 - t["rate_low"])))'
