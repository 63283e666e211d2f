# Ising matrices of the Kaiwu SDK: E = -s'Ms over all of the matrix, the last spin linear.
python3 - <<'END'
import itertools, json, random, struct, subprocess

random.seed(5)
failed = []

def run(*args, **more):
    return subprocess.run(args, capture_output=True, text=True, **more)

def npy(path, m, code="<f8", kind="d"):
    n = len(m)
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }" % (code, n, n)
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        f.write(struct.pack("<%d%s" % (n * n, kind), *[v for row in m for v in row]))

def energy(m, s):
    return -sum(m[i][k] * s[i] * s[k] for i in range(len(m)) for k in range(len(m)))

for t in range(100):
    n = random.randint(2, 7)
    m = [[0] * n for _ in range(n)]
    for i in range(n):
        for k in range(i, n):
            m[i][k] = m[k][i] = random.choice([0, random.randint(-127, 127), random.randint(-9, 9) / 4])
    best = min(energy(m, s + (1,)) for s in itertools.product((-1, 1), repeat=n - 1))
    with open("m.csv", "w") as f:
        for row in m:
            print(*row, sep=",", file=f)
    npy("m.npy", m)
    # As pandas saves it: with a header, with an index, or with both; numbers or names.
    names = random.choice([range(n), [f"s{i}" for i in range(n)]])
    index = random.random() < .5
    with open("p.csv", "w") as f:
        print(*([""] if index else []), *names, sep=",", file=f)
        for name, row in zip(names, m):
            print(*([name] if index else []), *row, sep=",", file=f)
    lines = [run("oa-anneal", "-q", "--no-times", "--format", "kaiwu", f).stdout for f in ("m.csv", "m.npy", "p.csv")]
    got = [json.loads(x) if x else {} for x in lines]
    x = got[0].get("x", [])
    if any(g.get("energy") != best or g.get("vartype") != "SPIN" for g in got) or got[0]["x"] != got[1]["x"] or got[0]["x"] != got[2]["x"] \
            or energy(m, tuple(x) + (1,)) != best:
        failed.append(f"{t}: {got} (expected {best})")
    # Written again, the matrix is the same but for the diagonal, which is a constant.
    for name in ("w.csv", "w.npy"):
        said = run("oa-anneal", "--format", "kaiwu", "--convert", "kaiwu", "-o", name, "m.npy").stderr
        again = json.loads(run("oa-anneal", "-q", "--no-times", "--format", "kaiwu", name).stdout)
        constant = -sum(m[i][i] for i in range(n))
        if again["energy"] + constant != best or ("constant" in said) != (constant != 0):
            failed.append(f"{t}: {name} {again} {said}")
    # A QUBO and the matrix that is made of it differ by the constant of the message.
    q = {(i, k): random.randint(-20, 20) for i in range(n) for k in range(i, n)}
    with open("q.coo", "w") as f:
        print("# vartype=BINARY", file=f)
        for (i, k), v in q.items():
            print(i, k, v, file=f)
    least = min(sum(v * x[i] * x[k] for (i, k), v in q.items()) for x in itertools.product((0, 1), repeat=n))
    said = run("oa-anneal", "--convert", "kaiwu", "-o", "q.kaiwu", "q.coo").stderr
    constant = float(said.split(" add ")[1].split()[0]) if " add " in said else 0
    again = json.loads(run("oa-anneal", "-q", "--no-times", "q.kaiwu").stdout)
    if again["energy"] + constant != least or again["format"] != "kaiwu":
        failed.append(f"{t}: qubo {again} {said} (expected {least})")
    # The machine gets whole numbers as they are.
    whole = [[int(v) if i != k else 0 for k, v in enumerate(row)] for i, row in enumerate(m)]
    with open("i.csv", "w") as f:
        for row in whole:
            print(*row, sep=",", file=f)
    done = run("oa-cim-pack", "-q", "--folder", "--force", "--format", "ising", "--precision", "exact", "--input-format", "kaiwu",
               "-o", "up", "i.csv")
    sent = [[float(v) for v in line.split(",")] for line in open("up/0.csv")] if done.returncode == 0 else done.stderr
    linear = any(whole[i][-1] for i in range(n))
    if done.returncode or (linear and sent != whole):
        failed.append(f"{t}: pack {sent} {whole}")
print(*failed[:5], sep="\n") if failed else print("all right")
END
# What the site would refuse is refused here, with the place.
refused() { oa-cim-pack --folder --force -q --precision exact --input-format kaiwu -o up "$@"; echo "status $?"; }
printf '0,1.5,2\n1.5,0,3\n2,3,0\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,128\n2,128,0\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,3\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,3\n2,3\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,3\n2,4,0\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,x\n2,4,0\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,nan\n2,nan,0\n' >m.csv && refused m.csv
printf '0\n' >m.csv && refused m.csv
printf '0,1,2\n1,0,3\n2,3,0\n' >m.csv && refused --spins 2 m.csv
printf '0,1,2\n1,0,8\n2,8,0\n' >m.csv && refused --bits 4 m.csv
oa-anneal -q --format kaiwu --vartype binary m.csv
oa-anneal -q --format kaiwu --sense max --no-times m.csv | grep -o '"energy":[^,]*'
printf 'a,b\n1,2\n0,1\n' >n.csv
oa-anneal --convert kaiwu n.csv
oa-anneal --convert kaiwu --drop-names n.csv
