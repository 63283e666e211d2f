# Random clauses and pseudo-Boolean problems, beside exhaustive search; the files of
# solutions have the values that they name.
python3 - <<'END'
import itertools, json, random, subprocess
random.seed(9)
failed, infeasible = [], 0

def solve(path):
    out = subprocess.run(["oa-anneal", "-q", "--no-times", "--solution", "s", path], capture_output=True, text=True)
    if out.returncode > 1:
        failed.append(f"{path}: {out.stderr}")
        return {}, {}
    said = {l[0]: l[2:].rstrip("\n") for l in open("s")}
    return json.loads(out.stdout), said

for t in range(60):
    n = random.randint(1, 6)
    weighted = t % 3
    clauses = []
    for _ in range(random.randint(1, 9)):
        lits = [random.choice([-1, 1]) * random.randint(1, n) for _ in range(random.randint(0 if t % 5 == 0 else 1, 4))]
        clauses.append((random.random() < .25 if weighted else False, random.randint(1, 5) if weighted else 1, lits))
    clauses[0][2].append(n)
    top = 100
    with open("m.cnf" if not weighted else "m.wcnf", "w") as f:
        print("c clauses", file=f)
        if weighted == 0:
            print("p cnf", n, len(clauses), file=f)
        elif weighted == 1:
            print("p wcnf", n, len(clauses), top, file=f)
        for hard, w, lits in clauses:
            head = [] if weighted == 0 else [top if weighted == 1 else "h"] if hard else [w]
            print(*head, *lits, 0, file=f, end=random.choice(["\n", " "]) if weighted == 0 else "\n")
    holds = lambda lits, x: any(x[abs(l) - 1] == (l > 0) for l in lits)
    allowed = [x for x in itertools.product((0, 1), repeat=n) if all(holds(l, x) for h, _, l in clauses if h)]
    cost = lambda x: sum(w for h, w, l in clauses if not h and not holds(l, x))
    line, said = solve("m.wcnf" if weighted else "m.cnf")
    if not allowed:
        infeasible += 1
        if line.get("infeasible") is not True or said != {"s": "UNSATISFIABLE"}:
            failed.append(f"{t}: {line} {said}")
        continue
    best = min(map(cost, allowed))
    x = [int(int(v) > 0) for v in said.get("v", "").split()[:-1]]
    if line.get("energy") != best or said.get("o") != str(best) or len(x) != n or tuple(x) not in allowed or cost(x) != best \
            or said["s"] != "OPTIMUM FOUND":
        failed.append(f"{t}: {clauses} {line} {said} (expected {best})")

def literal(i):
    return ("~" if random.random() < .3 else "") + f"x{i}"

def value(terms, x):
    return sum(w * all(x[int(l.lstrip("~x")) - 1] != l.startswith("~") for l in ls) for w, ls in terms)

def text(terms):
    return " ".join(f"{w:+} {' '.join(ls)}" for w, ls in terms)

for t in range(80):
    n = random.randint(1, 5)
    def terms(most):
        return [(random.randint(-4, 5), [literal(random.randint(1, n)) for _ in range(random.randint(1, most))])
                for _ in range(random.randint(1, 4))]
    wbo = t % 2
    objective = [] if wbo else terms(3)
    rows = []
    for _ in range(random.randint(1, 3)):
        clause = random.random() < .4
        left = [(1, [literal(random.randint(1, n))]) for _ in range(3)] if clause else terms(2 if t % 4 < 2 else 1)
        rows.append((random.randint(1, 6) if wbo and random.random() < .7 else None, left,
                     ">=" if clause else random.choice([">=", "=", "<="]), 1 if clause else random.randint(-3, 4)))
    top = random.choice([None, 5]) if wbo else None
    largest = not wbo and random.random() < .3
    path = "m.wbo" if wbo else "m.opb"
    with open(path, "w") as f:
        print("* #variable=", n, "#constraint=", len(rows), file=f)
        print("soft: " + (str(top) if top else "") + ";" if wbo else ("max: " if largest else "min: ") + text(objective) + " ;", file=f)
        for w, left, relation, right in rows:
            print((f"[{w}] " if w else "") + text(left), relation, random.choice([f"{right}", f"{right:+}"]), ";", file=f)
    ok = lambda r, x: {">=": value(r[1], x) >= r[3], "=": value(r[1], x) == r[3], "<=": value(r[1], x) <= r[3]}[r[2]]
    cost = lambda x: value(objective, x) + sum(r[0] for r in rows if r[0] and not ok(r, x))
    allowed = [x for x in itertools.product((0, 1), repeat=n)
               if all(ok(r, x) for r in rows if not r[0]) and (top is None or cost(x) < top)]
    line, said = solve(path)
    if not allowed:
        infeasible += 1
        if line.get("infeasible") is not True:
            failed.append(f"{t}: {open(path).read()} {line} {said}")
        continue
    best = (max if largest else min)(map(cost, allowed))
    true = {int(v.lstrip("-x")): not v.startswith("-") for v in said.get("v", "").split()}
    x = tuple(int(true.get(i + 1, False)) for i in range(n))
    if line.get("energy") != best or said.get("o") != str(best) or x not in allowed or cost(x) != best or said["s"] != "OPTIMUM FOUND":
        failed.append(f"{t}: {open(path).read()} {line} {said} (expected {best})")
print(*failed, sep="\n") if failed else print("all right;", infeasible, "infeasible")
END
bad() { # name, text
  printf "$2" >"$1"
  oa-anneal "$1"
}
bad a.cnf 'p cnf 2 1\n1 2\n'
bad a.cnf 'p cnf 2 1\n1 3 0\n'
bad a.cnf 'p cnf 2 2\n1 2 0\n'
bad a.cnf 'p cnf 2 1\n1 0 2 0\n'
bad a.wcnf 'p wcnf 2 1 5\n1.5 1 0\n'
bad a.wcnf 'h x 0\n'
bad a.opb 'min: +1 x1 ;\n+1 x1 > 1 ;\n'
bad a.opb 'min: +1 x1 ;\n+1 x1 >= 1\n'
bad a.opb 'min: +1.5 x1 ;\n'
bad a.opb 'min: +1 ;\n'
bad a.opb '[2] +1 x1 >= 1 ;\nmin: +1 x1 ;\n'
bad a.wbo 'soft: ;\n[-2] +1 x1 >= 1 ;\n'
bad a.wbo 'min: 99999999999999999999 x1 ;\n'
# Long clauses have a variable of their own, which is not written.
printf 'p cnf 12 2\n1 2 3 4 5 6 7 8 9 10 11 12 0\n-1 0\n%%\n0\n' >long.cnf
oa-anneal -q --no-times --solution long.out long.cnf | grep -o '"variables":[^,]*\|"energy":[^,]*'
sed 's/v.* 0/v ... 0/' long.out
# A .sol file for any problem, and .sol for one of clauses.
oa-anneal -q --no-times --solution a.sol "$DATA/problem/v1/ok/a.qs" | grep -o '"energy":[^,]*'
cat a.sol
oa-anneal -q --no-times --solution a.sol "$DATA/program/v1/ok/highs.lp" >r
cat a.sol
cp "$DATA/problem/v1/ok/a.qs" .
oa-anneal -q --solution a.sol a.qs a.qs >r
