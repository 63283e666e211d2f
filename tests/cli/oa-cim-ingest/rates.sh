# Repeated runs with a known rate: the interval covers it in 95 % of 2,000 tasks.
python3 - <<'END'
import json, math, os, random, struct, subprocess

random.seed(8)
problem = '{"linear":{"a":-1,"b":2,"c":-3},"quadratic":{"a,b":-3,"b,c":2,"a,c":1},"vartype":"BINARY"}'
E = lambda x: -x[0] + 2 * x[1] - 3 * x[2] - 3 * x[0] * x[1] + 2 * x[1] * x[2] + x[0] * x[2]
tasks = 2000
with open("p.jsonl", "w") as f:
    for _ in range(tasks):
        print(problem, file=f)
subprocess.run(["oa-cim-pack", "-q", "-o", "mat.tar.gz", "p.jsonl"], check=True)
solutions = sorted(([i & 1, i >> 1 & 1, i >> 2] for i in range(8)), key=E)
best = [x for x in solutions if E(x) == E(solutions[0])]
others = [x for x in solutions if E(x) > E(solutions[0])]
os.mkdir("r")
rates = []
for t in range(tasks):
    rate, runs = random.choice([0.1, 0.3, 0.5, 0.9]), random.choice([20, 50, 200])
    rows = [random.choice(best if random.random() < rate else others) for _ in range(runs)]
    flat = [v for x in rows for v in [2 * b - 1 for b in x] + [1]]
    head = "{'descr': '|i1', 'fortran_order': False, 'shape': (%d, 4), }" % runs
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    with open(f"r/{t}.npy", "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<%db" % len(flat), *flat))
    rates.append((rate, runs, sum(x in best for x in rows), len({tuple(x) for x in rows})))
said = subprocess.run(["oa-cim-ingest", "--tasks", "--json", "mat.manifest", "r"], capture_output=True, text=True)
summary = json.loads(said.stderr.splitlines()[-1])
covered = wrong = 0
for (rate, runs, hits, distinct), t in zip(rates, summary["by_task"]):
    covered += t["rate_low"] <= rate <= t["rate_high"]
    wrong += (t["runs"], t["optimum_hits"], t["distinct"]) != (runs, hits, distinct) or t["rate"] != hits / runs
    wrong += not t["rate_low"] <= t["rate"] <= t["rate_high"] or t["run_ms"] is not None or t["ms_to_99"] is not None
print(len(summary["by_task"]), "tasks,", wrong, "wrong, covered", f"{covered / tasks:.3f}")
print(summary["runs"] == sum(r[1] for r in rates), summary["optimum_hits"] == sum(r[2] for r in rates),
      summary["optimum_runs"] == summary["runs"], summary["distinct"] == sum(r[3] for r in rates))
END
# The machine's milliseconds come from reports: a run each.
printf '3 3\n1 2 1\n2 3 1\n1 3 -2\n' >g.rud
oa-cim-pack -q -o g.tar.gz g.rud
for seed in 1 2 3 4; do
  oa-cim-sim -q g.tar.gz -o s$seed --seed $seed
done
oa-cim-ingest --tasks --json g.manifest s1 s2 s3 s4 2>&1 >/dev/null | python3 -c '
import json, math, sys
t = json.loads(sys.stdin.readlines()[-1])["by_task"][0]
print(t["runs"], t["optimum_hits"], t["rate"], round(t["rate_low"], 4), t["rate_high"])
print(t["ms_to_99"] == t["run_ms"], math.isclose(t["ms_to_99_high"], t["run_ms"] * math.log(0.01) / math.log(1 - t["rate_low"])))'
