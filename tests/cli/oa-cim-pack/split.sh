# --precision split spreads coefficients over copies of their variables; ingest decodes
# them, counts broken copies and repairs them.
python3 - <<'END'
import itertools, json, random, re, subprocess

random.seed(9)
failed, split, broken_seen, repaired = [], 0, 0, 0

def run(*args):
    return subprocess.run(args, capture_output=True, text=True)

def energy(q, x):
    return sum(v for (i, k), v in q.items() if x[i] and x[k])

for t in range(40):
    n = random.randint(3, 9)
    q = {(i, k): round(random.choice([-1, 1]) * 2 ** random.uniform(0, 20)) for i in range(n) for k in range(i, n)}
    with open("p.coo", "w") as f:
        print("# vartype=BINARY", file=f)
        for (i, k), v in q.items():
            print(i, k, v, file=f)
    least = min(energy(q, x) for x in itertools.product((0, 1), repeat=n))
    form = random.choice(["qubo", "ising"])
    done = run("oa-cim-pack", "--json", "--folder", "--force", "--no-fix", "--bits", "4", "--format", form,
               "--precision", "split", "-o", "up", "--manifest", "p.manifest", "p.coo")
    said = json.loads(done.stderr) if done.returncode == 0 else {}
    if said.get("kept_every") != 1:
        failed.append(f"{t}: {done.stderr}")
        continue
    copies = said["copies"]
    split += copies > 0
    m = [[float(v) for v in line.split(",")] for line in open("up/0.csv")]
    size = len(m)
    if form == "ising":
        value = lambda s: -sum(m[i][k] * s[i] * s[k] for i in range(size) for k in range(size))
    else:
        value = lambda x: sum(m[i][k] for i in range(size) if x[i] for k in range(i, size) if x[k])
    # The machine finds an optimum, or returns noise with broken copies.
    for f in ("r", "noise"):
        run("rm", "-rf", f)
    run("oa-cim-sim", "up", "--format", form, "-o", "r", "--seed", str(t))
    got = run("oa-cim-ingest", "-q", "--json=sum.json", "p.manifest", "r")
    answer = json.loads(got.stdout)
    if answer["energy"] != energy(q, answer["x"]) or (t < 20 and answer["energy"] < least):
        failed.append(f"{t}: {answer}")
    run("mkdir", "noise")
    low = -1 if form == "ising" else 0
    rows = []
    for _ in range(10):
        v = [random.choice([low, 1]) for _ in range(size)]
        if form == "ising":
            v[-1] = 1
        rows.append(v)
    json.dump([{"quboValue": value(v), "solutionVector": v} for v in rows], open("noise/0.log", "w"))
    got = run("oa-cim-ingest", "-q", "--json=sum.json", "--choose", "original", "p.manifest", "noise")
    counts = json.load(open("sum.json"))
    answer = json.loads(got.stdout)
    broken_seen += counts["broken_variables"]
    if (copies == 0) != (counts["broken_solutions"] == 0) and copies == 0:
        failed.append(f"{t}: broken without copies")
    if answer["energy"] != energy(q, answer["x"]) or answer["energy"] < least:
        failed.append(f"{t}: noise {answer}")
    x = answer["x"]
    repaired += counts["broken_solutions"]
print(*failed[:5], sep="\n") if failed else print("all right;", split, "of 40 have copies;", broken_seen,
                                                 "variables of", repaired, "solutions were broken")
END
# The matrix of 5 spins in the guide of the vendor's SDK: no scale of 8 bits keeps its
# optimum without copies.
cat >five.csv <<'END'
0,-10,0,20,0.55
-10,0,6120,0.5,60
0,6120,0,0,-5120
20,0.5,0,0,1.025
0.55,60,-5120,1.025,0
END
five() { oa-cim-pack --input-format kaiwu --no-fix --force "$@" five.csv; }
five --plan
five --plan --bits 4
five --plan --json --spins 6
five --plan --spins 6
five --spins 6 --precision split -o x.tar.gz
echo "status $?"
five --spins 4 --precision split -o x.tar.gz
echo "status $?"
five --precision split --format ising --folder -o sp 2>&1 | grep 'split\|spins of\|optima are'
cat sp/0.csv
make-stream --variables 6 --images 1 -o in.oa
oa-cim-pack --plan in.oa | head -4
