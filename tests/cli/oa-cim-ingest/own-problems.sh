# Single problems to the machine and back: Gset, CSV, a polynomial and a linear program,
# with variables that have values already.  Answers are about the variables of the files;
# energies are computed here from the files alone.
python3 - <<'END'
import itertools, json, random, re, subprocess

random.seed(7)

def run(*command, expected=0):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != expected:
        print(command, done.returncode, done.stderr)
    return done

def round_trip(path, *options, expected=0):
    run("rm", "-rf", "r")
    run("oa-cim-pack", "-q", "--force", "-o", "m.tar.gz", *options, path)
    run("oa-cim-sim", "m.tar.gz", "-o", "r", "--reads", "40")
    return json.loads(run("oa-cim-ingest", "-q", "m.manifest", "r", expected=expected).stdout)

wrong = 0

def check(what, line, value, space, best=min, fixed={}):
    """line is an optimum of value over space, with these variables fixed."""
    global wrong
    x = line["x"]
    right = best(value(y) for y in space if all(y[i] == v for i, v in fixed.items()))
    if value(x) != line["energy"] or line["energy"] != right or any(x[i] != v for i, v in fixed.items()):
        wrong += 1
        print(what, line, right)

for trial in range(4):
    n = random.randint(4, 7)
    edges = [(i, k, random.choice((-1, 1, 2))) for i in range(n) for k in range(i) if random.random() < 0.7]
    edges = edges or [(1, 0, 1)]
    with open("own.gset", "w") as f:
        print(n, len(edges), file=f)
        for i, k, w in edges:
            print(i + 1, k + 1, w, file=f)
    with open("fix", "w") as f:
        print(1, -1, file=f)
    cut = lambda x: sum(w for i, k, w in edges if x[i] != x[k])
    spins = list(itertools.product((-1, 1), repeat=n))
    check("gset", round_trip("own.gset", "--input-format", "gset"), cut, spins, max)
    check("gset, fixed", round_trip("own.gset", "--input-format", "gset", "--fix", "fix"), cut, spins, max, {1: -1})

    q = [[random.randint(-9, 9) if k >= i else 0 for k in range(n)] for i in range(n)]
    with open("own.csv", "w") as f:
        for row in q:
            print(",".join(map(str, row)), file=f)
    with open("fix", "w") as f:
        print(json.dumps({"0": 1, str(n - 1): 0}), file=f)
    form = lambda x: sum(q[i][k] * x[i] * x[k] for i in range(n) for k in range(n))
    bits = list(itertools.product((0, 1), repeat=n))
    best = ("--precision", "best")
    check("csv", round_trip("own.csv", *best), form, bits)
    line = round_trip("own.csv", "--fix", "fix", *best)
    check("csv, fixed", line, form, bits, fixed={0: 1, n - 1: 0})
    if line.get("fixed") != 2:
        print("fixed:", line)

    terms = [[[i], random.randint(-1, 1)] for i in range(n)]  # so that all are there, in their order
    terms += [[random.sample(range(n), random.randint(1, 3)), random.randint(-3, 3)] for _ in range(6)]
    with open("own.hubo", "w") as f:
        json.dump(dict(hubo=terms, vartype="BINARY"), f)
    poly = lambda x: sum(w * all(x[i] for i in v) for v, w in terms)
    line = round_trip("own.hubo", *best)
    if poly(line["x"]) != line["energy"] or "names" in line:
        print("hubo:", line)

    costs = [random.randint(1, 5) for _ in range(n)]
    with open("own.lp", "w") as f:
        print("maximize\n obj:", " + ".join(f"{c} x{i}" for i, c in enumerate(costs)), file=f)
        print("subject to\n few:", " + ".join(f"x{i}" for i in range(n)), "<= 2", file=f)
        print("binary", *(f"x{i}" for i in range(n)), "\nend", file=f)
    gain = lambda x: sum(c * v for c, v in zip(costs, x))
    line = round_trip("own.lp", *best)  # few levels may lose the optimum beside a penalty
    holds = sum(line["x"]) <= 2
    if line["feasible"] != holds or gain(line["x"]) != line["energy"] or line["names"] != [f"x{i}" for i in range(n)]:
        print("lp:", line)

    a, b = random.randint(3, 9), random.randint(-4, 4)
    with open("own.lp", "w") as f:
        print(f"minimize\n obj: {-a} n + {b} x + [ 2 n ^ 2 + 2 n * x ] / 2\nbounds\n -1 <= n <= 4", file=f)
        print("general n\nbinary x\nend", file=f)
    line = round_trip("own.lp", *best)
    form = lambda n, x: n * n + n * x - a * n + b * x
    right = min(form(n, x) for n in range(-1, 5) for x in (0, 1))
    if line["energy"] != right or form(line["values"]["n"], line["x"][-1]) != right:
        print("integer:", line, right)
print(wrong, "wrong")
END
# All variables have values: nothing is left for the machine.
printf '1,-2\n0,1\n' >two.csv
printf '0 1\n1 1\n' >all
oa-cim-pack -q --force -o m.tar.gz --fix all two.csv && oa-cim-sim m.tar.gz -o s
oa-cim-ingest -q m.manifest s
oa-cim-ingest -q m.manifest s --missing original --top 2
# An answer that breaks a constraint says which, and the status is 1.
printf 'maximize\n obj: x + y + z\nsubject to\n one: x + y + z <= 1\nbinary x y z\nend\n' >tight.lp
oa-cim-pack -q --force --folder -o m tight.lp
awk -F, '{ for (i = NR; i <= NF; ++i) sum += $i; x = x (NR > 1 ? ", 1" : "1") }
  END { printf "[{\"quboValue\": %.1f, \"solutionVector\": [%s]}]\n", sum, x }' m/0.csv >0.log
oa-cim-ingest m.manifest 0.log 2>&1 >answer | grep violates
oa-cim-ingest -q m.manifest 0.log >answer
echo "status $?"
grep -o '"energy":[^,]*\|"feasible":[a-z]*\|"x":.*' answer
# Options that do not fit together.
oa-cim-pack -q --force -o m.tar.gz --fix missing two.csv
echo "status $?"
make-stream --variables 8 --images 1 -o in.oa
oa-cim-pack --force -o m.tar.gz --fix all in.oa
echo "status $?"
oa-cim-pack --force -o m.tar.gz --no-fix in.oa
echo "status $?"
