# Constraints are kept while searching: knapsacks are proved, bounds are those of the
# objective, and a problem that nothing satisfies has a result that says so.
cat >program.py <<'END'
import random, sys

def write(path, sense, values, rows):
    with open(path, "w") as file:
        term = lambda all: " ".join(f"{w:+} x{i}" for i, w in enumerate(all) if w)
        print(sense, "\n obj:", term(values), "\nSubject To", file=file)
        for k, (weights, relation, right) in enumerate(rows):
            print(f" c{k}: {term(weights)} {relation} {right}", file=file)
        print("Binary\n", *(f"x{i}" for i in range(len(values))), "\nEnd", file=file)
END
python3 - <<'END'
import itertools, json, random, subprocess
from program import write

random.seed(12)
failed = []

def solve(path, *options):
    out = subprocess.run(["oa-anneal", "-q", "--no-times", *options, path], capture_output=True, text=True)
    return out.returncode, json.loads(out.stdout)

for n, most in (30, 100), (100, 1000), (30, 1.5), (100, 9.75):
    whole = isinstance(most, int)
    draw = lambda: random.randint(1, most) if whole else random.randint(1, int(100 * most)) / 100
    values, weights = [draw() for _ in range(n)], [draw() for _ in range(n)]
    room = round(sum(weights) / 2, 0 if whole else 2)
    write("k.lp", "Maximize", values, [(weights, "<=", room)])
    scale = 1 if whole else 100
    table = [0] * (round(room * scale) + 1)  # values in hundredths, too
    for v, w in zip(values, weights):
        w, v = round(w * scale), round(v * scale)
        table[w:] = [max(a, b + v) for a, b in zip(table[w:], table)]
    best = table[-1] / scale
    for options in [], ["--time-limit", "100"], ["--solver", "exact"], ["--solver", "greedy"]:
        status, line = solve("k.lp", *options)
        proves = options != ["--solver", "greedy"]
        value = sum(v for v, x in zip(values, line["x"]) if x)
        if status != 0 or not line["feasible"] or abs(line["energy"] - value) > 1e-9 or \
                line["bound"] < line["energy"] or line["bound"] > 1.05 * best or \
                proves and (not line["proved_optimal"] or abs(line["energy"] - best) > 1e-9):
            failed.append((n, most, options, line, best))
print(*failed, sep="\n") if failed else print("knapsacks are proved")

values, weights = [7, 7, 5, 9, 4, 6, 7, 3], [3, 3, 2, 4, 2, 3, 3, 1]
write("s.lp", "Maximize", values, [(weights, "<=", 9), ([1] * 8, ">=", 3)])
all = sorted(((sum(v * b for v, b in zip(values, x)), x) for x in itertools.product((0, 1), repeat=8)
              if sum(w * b for w, b in zip(weights, x)) <= 9 and sum(x) >= 3), key=lambda a: -a[0])
status, line = solve("s.lp", "--top", "20")
if [t["energy"] for t in line["top"]] != [e for e, _ in all[:20]] or not line["proved_optimal"]:
    print("top:", line)
status, line = solve("s.lp", "--all-optima")
if not line["optima_complete"] or line["optima"] != sorted(list(x) for e, x in all if e == all[0][0]):
    print("optima:", line)

ones = [1] * 30
infeasible = {
    "more than all": [(ones, ">=", 31)],
    "less than nothing": [(ones, "<=", -1)],
    "odd": [([2] * 30, "=", 31)],
    "decimals": [([0.2] * 30, "=", 0.1)],
    "far apart": [([1e-9, 1e9] + [0] * 28, ">=", 1e10)],
    "two that exclude each other": [(ones, ">=", 20), ([3] * 30, "<=", 59)],
    "a triangle": [([1, 1, 0], "=", 1), ([0, 1, 1], "=", 1), ([1, 0, 1], "=", 1)],
    "no such sum": [([7, 11, 13] * 10, "=", 317), ([7, 11, 13] * 10, "<=", 316)],
    "sums of sevens": [([21] * 15 + [14] * 14 + [1], "=", 106), ([0] * 29 + [1], "=", 0)],
}
for what, rows in infeasible.items():
    write("i.lp", "Minimize", [1] * len(rows[0][0]), rows)
    for solver in "auto", "exact", "sa":
        status, line = solve("i.lp", "--solver", solver, *(["--reads", "1", "--sweeps", "1"] if solver == "sa" else []))
        print(f"{what}, {solver}: {status}, {line['status']}, {line['bound']}") if \
            (status, line["infeasible"], line["proved_optimal"]) != (1, True, False) or solver == "auto" else None
END
cat >k.lp <<'END'
maximize
 obj: 5 a + 4 b + 3 c
subject to
 room: 2 a + 3 b + c <= 5
 two: a + b + c <= 2
binary
 a b c
end
END
oa-anneal --no-times k.lp | grep -o '"energy":[^,]*\|"bound":[^,]*\|"x":.*'
oa-anneal --no-times --solver tabu k.lp k.lp | grep -o '"energy":[^,]*'
oa-anneal --no-times --top 3 k.lp | grep -o '"top".*'
printf 'a 0\n' >fix
oa-anneal --no-times -q --fix fix k.lp | grep -o '"energy":[^,]*\|"x":.*'
printf 'a 1\nb 1\nc 1\n' >fix
oa-anneal --no-times --fix fix k.lp | grep -o '"status":[^,]*\|"violated":.*'
oa-anneal --trace t --no-times -q k.lp >r && grep -o '"energy.*\|"bound.*' t
oa-anneal --no-times -q --target 9 k.lp | grep -o '"target_reached":[a-z]*'
oa-anneal --convert bqm k.lp >k.json && oa-anneal -q k.json | grep -o '"energy":[^,]*'
# A solution that violates a constraint reaches no target.
printf 'min\n a + b\nst\n c: a + b >= 3\nbinary\n a b\nend\n' >i.lp
oa-anneal --no-times --target 5 i.lp | grep -o '"target_reached":[a-z]*\|"infeasible":[a-z]*'
oa-anneal -q --no-times --all-optima i.lp | grep -o '"optima_complete.*'
