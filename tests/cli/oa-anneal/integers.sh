# Integers, quadratic and soft constraints in LP, MPS and WBO, beside trying every value.
python3 - <<'END'
import itertools, json, random, subprocess
random.seed(4)
failed, infeasible = [], 0

def solve(path):
    out = subprocess.run(["oa-anneal", "-q", "--no-times", "--solution", "s.sol", path], capture_output=True, text=True)
    if out.returncode > 1:
        failed.append(f"{path}: {open(path).read()} {out.stderr}")
        return None, None
    values = dict(l.split() for l in open("s.sol") if not l.startswith("#"))
    return json.loads(out.stdout), {k: int(v) for k, v in values.items()}

def lp(f, names, bounds, objective, rows, largest):
    def side(linear, squares, half):
        text = " ".join(f"{w:+} {names[i]}" for i, w in linear.items())
        inner = " ".join(f"{w * (2 if half else 1):+} {names[i]}" + (" ^ 2" if i == k else f" * {names[k]}") for (i, k), w in squares.items())
        return text + (f" + [ {inner} ]" + (" / 2" if half else "") if inner else "")
    print("Maximize" if largest else "Minimize", file=f)
    print(" obj:", side(*objective, True), file=f)
    print("Subject To", file=f)
    for k, (row, relation, right) in enumerate(rows):
        print(f" c{k}:", side(*row, False), relation, right, file=f)
    print("Bounds", file=f)
    for name, (low, high) in zip(names, bounds):
        print(f" {low} <= {name} <= {high}", file=f)
    print("General", *names, "End", sep="\n", file=f)

def mps(f, names, bounds, objective, rows, largest):
    print("NAME t\nOBJSENSE", "MAX" if largest else "MIN", file=f)
    print("ROWS\n N obj", file=f)
    for k, (_, relation, _) in enumerate(rows):
        print("", {"<=": "L", ">=": "G", "=": "E"}[relation], f"c{k}", file=f)
    print("COLUMNS\n M MARKER INTORG", file=f)
    for i, name in enumerate(names):
        print("", name, "obj", objective[0].get(i, 0), file=f)
        for k, (row, _, _) in enumerate(rows):
            print("", name, f"c{k}", row[0].get(i, 0), file=f)
    print(" M MARKER INTEND\nRHS", file=f)
    for k, (_, _, right) in enumerate(rows):
        print(" R", f"c{k}", right, file=f)
    print("BOUNDS", file=f)
    for name, (low, high) in zip(names, bounds):
        print(" LO B", name, low, file=f)
        print(" UP B", name, high, file=f)
    def matrix(squares, factor):
        for (i, k), w in squares.items():
            if i == k:
                print("", names[i], names[i], factor * w, file=f)
            else:
                print("", names[i], names[k], factor * w / 2, file=f)
                print("", names[k], names[i], factor * w / 2, file=f)
    if objective[1]:
        print("QMATRIX", file=f)
        matrix(objective[1], 2)
    for k, (row, _, _) in enumerate(rows):
        if row[1]:
            print("QCMATRIX", f"c{k}", file=f)
            matrix(row[1], 1)
    print("ENDATA", file=f)

for t in range(60):
    n = random.randint(1, 4)
    names = [f"n{i}" for i in range(n)]
    bounds = [(low, low + random.randint(0, 6)) for low in (random.randint(-3, 2) for _ in names)]
    def form(squares):
        linear = {i: random.randint(-5, 5) for i in range(n)}
        pairs = [(i, k) for i in range(n) for k in range(i, n)]
        return linear, {p: random.randint(-3, 3) for p in pairs if random.random() < squares}
    objective = form(.4)
    rows = [(form(.3 if t % 2 else 0), random.choice(["<=", ">=", "="] if t % 5 == 0 else ["<=", ">="]), random.randint(-9, 12))
            for _ in range(random.randint(0, 3))]
    largest = random.random() < .5
    value = lambda f, x: sum(w * x[i] for i, w in f[0].items()) + sum(w * x[i] * x[k] for (i, k), w in f[1].items())
    holds = lambda row, x: {"<=": value(row[0], x) <= row[2], ">=": value(row[0], x) >= row[2], "=": value(row[0], x) == row[2]}[row[1]]
    allowed = [x for x in itertools.product(*(range(a, b + 1) for a, b in bounds)) if all(holds(r, x) for r in rows)]
    for path, write in (("p.lp", lp), ("p.mps", mps)):
        with open(path, "w") as f:
            write(f, names, bounds, objective, rows, largest)
        line, x = solve(path)
        if line is None:
            continue
        if not allowed:
            infeasible += 1
            if line.get("infeasible") is not True:
                failed.append(f"{t} {path}: {line}")
            continue
        best = (max if largest else min)(value(objective, x) for x in allowed)
        found = tuple(x[name] for name in names)
        if line["energy"] != best or found not in allowed or value(objective, found) != best or not line["proved_optimal"] \
                or any(x[k] != v for k, v in line.get("values", {}).items()):
            failed.append(f"{t} {path}: {open(path).read()} {line} {x} (expected {best})")
print(*failed, sep="\n") if failed else print("all right;", infeasible, "infeasible")
END
lp() {
  printf '%s\n' "$@" >p.lp
  oa-anneal -q --no-times p.lp 2>&1 | grep -o '"energy":[^,]*\|"values".*\|oa-anneal:.*' | paste -sd ' '
}
# Constraints limit integers that bounds leave open; equal values are one optimum.
lp max '2 n + 3 m' st 'n + m <= 1000000' 'm - 2 n <= 5' 'n >= 1' gen 'n m' end
lp min '0.1 n' st '0.3 n - 0.1 b >= 0.8' 'n <= 9' gen n bin b end
printf 'min: 0 x1\nbounds\n-2 <= n <= 3\ngen n\nbin x1\nend\n' | sed 's/min:/min\n/' >all.lp
oa-anneal -q --no-times --all-optima all.lp | grep -o '"optima_complete.*'
lp min n st 'n + m >= 1' gen 'n m' end
lp min n bounds '-inf <= n <= 4' gen n end
lp min n bounds '0.2 <= n <= 9e18' gen n end
lp min n bounds '3.2 <= n <= 3.8' gen n end
# What soft constraints cost, by number.
cat >p.wbo <<'END'
soft: ;
[3] +1 x1 +1 x2 >= 1 ;
[2] +2 x1 +3 x2 +1 x3 <= 2 ;
[5] +1 x1 x3 -1 x2 = 1 ;
+1 x1 +1 x3 >= 1 ;
END
oa-anneal -q --no-times p.wbo | grep -o '"objective.*'
# Digits and penalties for a machine: their number, and the bits of their weights.
lp min '0 - 3 n + 2 m' st '[ n * m ] <= 6' 'n + m <= 8' bounds 'n <= 5' 'm >= 1' gen 'n m' end
oa-anneal --convert bqm p.lp >p.bqm
# Values of integers by name: fixed, and where a read begins.
lp max '2 n + 3 m + k' st 'n + m <= 9' 'k <= 1' bounds '-3 <= n <= 4' 'm <= 8' gen 'n m' bin k end
fixed() { oa-anneal -q --no-times --fix v p.lp 2>&1 | grep -o '"energy":[^,]*\|"fixed":[^,]*\|"values":[^}]*\|oa-anneal:.*' | paste -sd ' '; }
printf 'm 5\nk 0\n' >v && fixed
printf '{"n": -3, "k": 1}\n' >v && fixed
for line in 'n 5' 'n -4' 'm 1.5' 'p 1'; do
  echo "$line" >v && fixed
done
printf '{"m": 5, "m digit 1": 0}\n' >v && fixed
start() { oa-anneal -q --no-times --solver sa --reads 1 --sweeps 1 --hot 1e-3 --cold 1e-3 --initial v p.lp 2>&1 | grep -o '"found_by":[^,]*\|"values":[^}]*\|oa-anneal:.*' | paste -sd ' '; }
printf '{"n": 1, "m": 8, "k": 1}\n' >v && start
printf '{"n": 1, "m": 9}\n' >v && start
printf '{"x": [1]}\n' >v && start
