# Constraints are kept while searching, bounds are those of the objective, and a problem that
# nothing satisfies has a result that says so.
python3 - <<'END'
import json, subprocess

def write(path, rows):
    with open(path, "w") as file:
        term = lambda all: " ".join(f"{w:+} x{i}" for i, w in enumerate(all) if w)
        print("Minimize\n obj:", term([1] * len(rows[0][0])), "\nSubject To", file=file)
        for k, (weights, relation, right) in enumerate(rows):
            print(f" c{k}: {term(weights)} {relation} {right}", file=file)
        print("Binary\n", *(f"x{i}" for i in range(len(rows[0][0]))), "\nEnd", file=file)

def solve(path, *options):
    out = subprocess.run(["oa-anneal", "-q", "--no-times", *options, path], capture_output=True, text=True)
    return out.returncode, json.loads(out.stdout)

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
    write("i.lp", rows)
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
printf 'a 1\nb 1\nc 1\n' >fix
oa-anneal --no-times --fix fix k.lp | grep -o '"status":[^,]*\|"violated":.*'
oa-anneal --trace t --no-times -q k.lp >r && grep -o '"energy.*\|"bound.*' t
oa-anneal --no-times -q --target 9 k.lp | grep -o '"target_reached":[a-z]*'
# A solution that violates a constraint reaches no target.
printf 'min\n a + b\nst\n c: a + b >= 3\nbinary\n a b\nend\n' >i.lp
oa-anneal --no-times --target 5 i.lp | grep -o '"target_reached":[a-z]*\|"infeasible":[a-z]*'
oa-anneal -q --no-times --all-optima i.lp | grep -o '"optima_complete.*'
