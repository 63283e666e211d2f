# Programs in MPS are read as the same programs in LP: 100 random ones, with every kind of
# row, range, bound and objective, beside exhaustive search.
python3 - <<'END'
import itertools, json, random, subprocess

random.seed(11)
failed, infeasible, kinds = [], 0, set()

def solve(path):
    out = subprocess.run(["oa-anneal", "-q", "--no-times", path], capture_output=True, text=True)
    return out.returncode, json.loads(out.stdout) if out.stdout else {}, out.stderr

def number(v):
    return random.choice([f"{v:g}", f"{v:+.2f}", f"{v:.3e}"])

for t in range(100):
    n = random.randint(1, 7)
    names = [f"x{i}" for i in range(n)] if t % 3 else random.sample(["a", "bb", "c-1", "R1", "RHS", "z_9", "UP"], n)
    linear = [random.randint(-8, 8) / 4 for _ in range(n)]
    quad = {(i, k): random.randint(-8, 8) / 2 for i in range(n) for k in range(i, n) if random.random() < 0.4}
    constant = random.choice([0, 0, 2.5, -1])
    largest = random.random() < 0.5
    rows = []
    some = [random.randint(0, 1) for _ in range(n)]  # most problems have a solution
    for r in range(random.randint(0, 3)):
        kind = random.choice("ELG")
        terms = {i: random.randint(-3, 3) for i in range(n) if random.random() < .7}
        right = random.randint(-2, 3) if random.random() < .2 else sum(w * some[i] for i, w in terms.items())
        rows.append(dict(name=f"row{r}", kind=kind, terms=terms, right=right, range=random.choice([None, None, 0, 1, 2, -1])))
    fixed = {i: some[i] for i in range(n) if random.random() < 0.15}

    # Lower and upper limits of rows, as the manual has them.
    limits = []
    for r in rows:
        lo = hi = r["right"]
        g = r["range"]
        if r["kind"] == "L":
            lo = None if g is None else hi - abs(g)
        elif r["kind"] == "G":
            hi = None if g is None else lo + abs(g)
        elif g:
            lo, hi = (lo, lo + g) if g > 0 else (lo + g, lo)
        limits.append((lo, hi))

    def value(x):
        return constant + sum(w * v for w, v in zip(linear, x)) + \
            sum(q * x[i] * x[k] * (0.5 if i == k else 1) for (i, k), q in quad.items())

    def allowed(x):
        for r, (lo, hi) in zip(rows, limits):
            v = sum(w * x[i] for i, w in r["terms"].items())
            if (lo is not None and v < lo) or (hi is not None and v > hi):
                return False
        return all(x[i] == v for i, v in fixed.items())

    good = [x for x in itertools.product((0, 1), repeat=n) if allowed(x)]
    best = (max if largest else min)(map(value, good), default=None)

    section = random.choice(["QUADOBJ", "QMATRIX"]) if quad else None
    declared = {i: random.choice(["BV", "UP", "marker"]) for i in range(n)}
    kinds |= set(declared.values()) | {section} | {r["kind"] + str(r["range"] is not None) for r in rows}
    with open("m.mps", "w") as f:
        print("* a comment", file=f)
        print("NAME          test", random.choice(["", "FREE"]), file=f)
        if largest:
            print(random.choice(["OBJSENSE MAX", "OBJSENSE\n    MAX", "OBJSENSE\nMAXIMIZE"]), file=f)
        print("ROWS\n N  cost", file=f)
        for r in rows:
            print("", r["kind"], r["name"], file=f)
        print(" N  unused\nCOLUMNS", file=f)
        inside = False
        for i in range(n):
            whole = declared[i] != "BV"
            if whole != inside:
                print("    MARKER                 'MARKER'                 '%s'" % ("INTORG" if whole else "INTEND"), file=f)
                inside = whole
            entries = [("cost", linear[i]), ("unused", 7)] + [(r["name"], r["terms"][i]) for r in rows if i in r["terms"]]
            random.shuffle(entries)
            while entries:
                line = [entries.pop() for _ in range(min(len(entries), random.randint(1, 2)))]
                print("   ", names[i], *(f"{r}  {number(w)}" for r, w in line), file=f)
        if inside:
            print("    MARKER   'MARKER'   'INTEND'", file=f)
        given = random.choice(["RHS", "set1", ""])
        print("RHS", file=f)
        if constant:
            print("   ", given, "cost", number(-constant), file=f)
        for r in rows:
            if r["right"] or random.random() < 0.5:
                print("   ", given, r["name"], number(r["right"]), file=f)
        if any(r["range"] is not None for r in rows):
            print("RANGES", file=f)
            for r in rows:
                if r["range"] is not None:
                    print("   ", "RNG", r["name"], number(r["range"]), file=f)
        print("BOUNDS", file=f)
        for i in range(n):
            if declared[i] == "BV":
                print(" BV BND", names[i], file=f)
            elif declared[i] == "UP":
                print(" UP BND", names[i], "1", file=f)
            if i in fixed:
                print(" FX BND", names[i], number(fixed[i]), file=f)
        if section:
            print(section, file=f)
            entries = []
            for (i, k), q in quad.items():
                flip = section == "QUADOBJ" and random.random() < .5
                entries.append((k, i, q) if flip else (i, k, q))
                if section == "QMATRIX" and i != k:
                    entries.append((k, i, q))
            random.shuffle(entries)
            for i, k, q in entries:
                print("   ", names[i], names[k], number(q), file=f)
        print("ENDATA", file=f)

    with open("m.lp", "w") as f:
        plain = [f"v{i}" for i in range(n)]
        print("Maximize" if largest else "Minimize", "\n obj:", *(f"{w:+} {plain[i]}" for i, w in enumerate(linear)), file=f)
        print(f" {constant:+}", file=f)
        if quad:
            print(" + [", *((f"{q:+} {plain[i]} ^ 2" if i == k else f"{2 * q:+} {plain[i]} * {plain[k]}")
                            for (i, k), q in quad.items()), "] / 2", file=f)
        print("Subject To", file=f)
        for r, (lo, hi) in zip(rows, limits):
            left = " ".join(f"{w:+} {plain[i]}" for i, w in r["terms"].items()) or f"0 {plain[0]}"
            if lo == hi:
                print(f" {left} = {lo}", file=f)
                continue
            if lo is not None:
                print(f" {left} >= {lo}", file=f)
            if hi is not None:
                print(f" {left} <= {hi}", file=f)
        for i, v in fixed.items():
            print(f" {plain[i]} = {v}", file=f)
        print("Binary\n", *plain, "\nEnd", file=f)

    status, mps, said = solve("m.mps")
    status2, lp, said2 = solve("m.lp")
    if best is None:
        infeasible += 1
        if status != 1 or mps.get("infeasible") is not True or status2 != 1:
            failed.append(f"{t}: {status} {mps} {said}")
        continue
    if status or status2 or mps["format"] != "mps" or mps["energy"] != best or lp["energy"] != best or \
            not mps["proved_optimal"] or mps["sense"] != lp["sense"] or mps.get("feasible") != lp.get("feasible") or \
            tuple(mps["x"]) not in good or value(mps["x"]) != best or mps.get("names", list(range(n))) != names:
        failed.append(f"{t}: {status} {mps} {said} / {status2} {lp} {said2} (expected {best})")
print(*failed, sep="\n") if failed else print("all right;", infeasible, "infeasible;", len(kinds), "kinds")
END
# A program that is no QUBO with proved penalties is refused by the name of what it has.
mps() { # sections ...
  printf '%s\n' "$@" >m.mps
  oa-anneal -q --no-times m.mps 2>&1 | grep -o '"energy".*\|oa-anneal:.*' | sed 's/,"bound.*//'
}
head="NAME t
ROWS
 N f
 L c
COLUMNS"
one=" x f -1 c 1
 y f -2 c 1"
binary="BOUNDS
 BV b x
 BV b y"
mps "$head" "$one" "RHS
 r c 1" "$binary" ENDATA
mps "$head" "$one" "$binary"
mps "$head" "$one" "BOUNDS
 BV b x" ENDATA
mps "$head" "$one" "BOUNDS
 BV b x
 UP b y 1" ENDATA
mps "$head" "$one" "BOUNDS
 BV b x
 UI b y 5" ENDATA
mps "$head" "$one" "BOUNDS
 SC b x 5" ENDATA
mps "$head" "$one" "$binary" "QCMATRIX c
 x x 1" ENDATA
mps "$head" "$one" "$binary" "SOS1
 s x 1" ENDATA
mps "$head" "$one" "$binary" "QSECTION f
 x x 1" ENDATA
mps "$head" "$one" "$binary" "WHATEVER" ENDATA
mps "$head" "$one" "$binary" "QMATRIX
 x y 1" ENDATA
mps "$head" "$one" "$binary" "QUADOBJ
 x y 1
 y x 1" ENDATA
mps "$head" "$one" "$binary" "QUADOBJ
 x z 1" ENDATA
mps "$head" "$one
 x f 3" "$binary" ENDATA
mps "$head" "$one" " z g 1" "$binary" ENDATA
mps "$head" "$one" " z f 1 f 2" "$binary" ENDATA
mps "$head" " x f nan" "$binary" ENDATA
mps "$head" "$one" "RHS
 r c 1
 s c 2" "$binary" ENDATA
mps "$head" "$one" "RHS
 r c 1
 r c 2" "$binary" ENDATA
mps "$head" "$one" "RHS
 r c" "$binary" ENDATA
mps "NAME t
ROWS
 L c
COLUMNS
 x c 1" "BOUNDS
 BV b x" ENDATA
mps "NAME t
ROWS
 X c" ENDATA
mps "$head" "$binary" ENDATA
mps "$head" "$one" "BOUNDS
 BV b x
 BV b x
 LI b y 2" ENDATA
