# Polynomials of any degree and linear constraints become quadratic functions with more
# variables; answers are about the variables of the file.  Exhaustive search agrees.
python3 - <<'END'
import itertools, json, random, subprocess

random.seed(3)
failed, infeasible, unproved = [], 0, 0

def solve(path, *options):
    out = subprocess.run(["oa-anneal", "-q", "--no-times", *options, path],
                         capture_output=True, text=True)
    return out.returncode, json.loads(out.stdout) if out.stdout else {}, out.stderr

def holds(c, x):
    left = sum(w * x[i] for i, w in c["terms"].items())
    return {"<=": left <= c["right"], ">=": left >= c["right"], "=": left == c["right"]}[c["relation"]]

for t in range(60):
    n = random.randint(1, 6)
    spin = t % 3 == 0
    values = (-1, 1) if spin else (0, 1)
    worst = t % 2 == 1  # to be maximised
    terms = [(random.sample(range(n), random.randint(0, n)), random.randint(-8, 8) / 4)
             for _ in range(random.randint(1, 8))]
    constraints = [dict(terms={i: random.randint(-3, 3) for i in random.sample(range(n), random.randint(1, n))},
                        relation=random.choice(("<=", "=", ">=")), right=random.randint(-2, 3))
                   for _ in range(random.randint(0, 2))]

    def value(x):
        total = 0
        for variables, weight in terms:
            for i in variables:
                weight *= x[i]
            total += weight
        return total

    allowed = [x for x in itertools.product(values, repeat=n) if all(holds(c, x) for c in constraints)]
    best = (max if worst else min)(map(value, allowed), default=None)
    used = [[[i], 0] for i in range(n)]  # so that all variables are there, in their order
    model = dict(hubo=used + [[v, w] for v, w in terms], vartype="SPIN" if spin else "BINARY",
                 sense="max" if worst else "min",
                 constraints=[dict(linear={str(i): w for i, w in c["terms"].items()},
                                   relation=c["relation"], right=c["right"]) for c in constraints])
    json.dump(model, open("m.json", "w"))
    status, line, said = solve("m.json")
    if best is None:
        infeasible += 1
        if status != 1 or line.get("infeasible") is not True or line.get("status") != "infeasible":
            failed.append(f"{t}: {status} {line} {said}")
        continue
    x = line.get("x")
    if status != 0 or line["energy"] != best or tuple(x) not in allowed or value(x) != best or \
            line["proved_optimal"] != (line["bound"] == best):
        failed.append(f"{t}: {status} {line} {said} (expected {best})")
    unproved += not line.get("proved_optimal")
    if subprocess.run(["oa-anneal", "--verify", "-", "m.json"], input=json.dumps(line), text=True,
                      capture_output=True).returncode != 0:
        failed.append(f"{t}: does not verify")
    if not spin and not constraints:
        with open("m.hubo", "w") as file:
            print("c a comment\np hubo binary", n, file=file)
            for v, w in terms:
                print(*v, w, file=file)
        if not worst and solve("m.hubo")[1].get("energy") != best:
            failed.append(f"{t}: text")
    if not spin and all(len(v) <= 2 for v, _ in terms):
        with open("m.lp", "w") as file:
            print("Maximize" if worst else "Minimize", file=file)
            flat = [(w, v) for v, w in terms if len(v) == 1]
            two = [(2 * w, v) for v, w in terms if len(v) == 2]
            text = " ".join(f"{w:+} x{v[0]}" for w, v in flat)
            text += "".join(f" {w:+}" for v, w in terms if not v)
            if two:
                text += " + [ " + " ".join(f"{w:+} x{v[0]} * x{v[1]}" for w, v in two) + " ] / 2"
            print(" obj: 0 x0", text, file=file)
            print("Subject To", file=file)
            for k, c in enumerate(constraints):
                print(f" c{k}:", " ".join(f"{w:+} x{i}" for i, w in c["terms"].items()), c["relation"],
                      c["right"], file=file)
            print("Bounds\n 0 <= x0 <= 1\nBinary\n", *[f"x{i}" for i in range(n)], "\nEnd", file=file)
        status, line, said = solve("m.lp")
        if status != 0 or line["energy"] != best:
            failed.append(f"{t}: lp {status} {line} {said} (expected {best})")
if unproved:
    failed.append(f"{unproved} unproved")
print(*failed, sep="\n") if failed else print("all right;", infeasible, "infeasible")
END
# The knapsack of a page that everybody has, with its decimals.
cat >knapsack.lp <<'END'
\ the most valuable things of 1.1 kg
Maximize
 value: 10 map + 7.5 tea + 6 rope + [ 4 map * rope ] / 2
Subject To
 weight: 0.2 map + 0.5 tea + 0.6 rope <= 1.1
 one: tea + rope >= 1
Binaries
 map tea rope
End
END
oa-anneal -q --no-times knapsack.lp | tee r | sed 's/,"seconds.*"seed":1//'
oa-anneal --verify r knapsack.lp
oa-anneal -q --no-times --top 2 knapsack.lp | grep -o '"top".*'
oa-anneal -q --no-times --all-optima knapsack.lp | grep -o '"optima.*'
printf 'map 0\n' >fix
oa-anneal -q --no-times --fix fix knapsack.lp | grep -o '"energy":[^,]*\|"x".*'
sed 's/"x":.*/"x":[1,0,0]}/; s/"energy":[^,]*/"energy":10/' r >wrong
oa-anneal --verify wrong knapsack.lp
echo "status $?"
oa-anneal -q --convert qubo --format lp knapsack.lp 2>/dev/null
echo "status $?"
oa-anneal -q --convert bqm knapsack.lp >k.json && oa-anneal -q k.json | grep -o '"energy":[^,]*'
# Infeasible constraints, alone or together; numbers too long to be exact.
lp() {
  printf 'min\n obj: a + b\nst\n%s\nbinary\n a b\nend\n' "$1" >c.lp
  oa-anneal --no-times -q c.lp | grep -o '"feasible.*'
}
lp ' c1: a + b >= 3'
lp ' c1: a + b = 1
 c2: a - b = 0'
lp ' c1: 1e-9 a + 1e9 b <= 5'
lp ' a + b <= 1.5'
oa-anneal --no-times c.lp >/dev/null
lp ' c1: [ a * b ] <= 1'
lp ' c1: 0 <= a + b <= 1'
printf 'min\n a + z\nst\n a + z >= 1\nbinary\n a\nend\n' >c.lp
oa-anneal c.lp
printf 'min\n a\nst\n a >= 0\ngeneral\n a\nend\n' >c.lp
oa-anneal c.lp
printf 'min\n a\nst\n a >= 0\nbinary\n a\n' >c.lp
oa-anneal -q --no-times c.lp | grep -o '"energy":[^,]*'
for text in '{"hubo":[[["a"],"x"]]}' '{"hubo":{}}' '{"hubo":[1]}' '{"hubo":{"a":1},"sense":"up"}' \
  '{"hubo":{"a":1},"constraints":[{"linear":{"a":1},"relation":"<","right":1}]}'; do
  echo "$text" >c.json
  oa-anneal c.json
done
printf 'p hubo binary 2\n0 1 2 1\n' >c.hubo
oa-anneal c.hubo
oa-anneal --solver sa --samples s c.lp
echo "status $?"
