# Problems of random graphs, beside exhaustive search; then messages.
python3 - <<'END'
import itertools, json, random, subprocess
random.seed(5)
failed = []

def solve(what, path="g.gph"):
    out = subprocess.run(["oa-anneal", "-q", "--no-times", "--graph", what, "--solution", "s", path],
                         capture_output=True, text=True)
    if out.returncode:
        failed.append(out.stderr)
        return {}, []
    return json.loads(out.stdout), [tuple(map(int, l.split())) for l in open("s")]

for t in range(25):
    n = random.randint(1, 7)
    pairs = list(itertools.combinations(range(1, n + 1), 2))
    edges = random.sample(pairs, random.randint(0, len(pairs)))
    weights = [random.randint(0, 9) / 2 if t % 3 == 0 else 1 for _ in range(n)]
    lengths = {e: random.randint(-3, 5) if t % 2 else 1 for e in edges}
    with open("g.gph", "w") as f:
        print("c a graph\np", random.choice(["edge", "col"]), n, len(edges), file=f)
        for v in range(n):
            if weights[v] != 1:
                print("n", v + 1, weights[v], file=f)
        for u, v in edges:
            print("e", *random.choice([(u, v), (v, u)]), *([lengths[u, v]] if lengths[u, v] != 1 else []), file=f)
    sets = [s for r in range(n + 1) for s in itertools.combinations(range(1, n + 1), r)]
    weight = lambda s: sum(weights[v - 1] for v in s)
    apart = lambda s: not any(e in edges for e in itertools.combinations(s, 2))
    joined = lambda s: all(e in edges for e in itertools.combinations(s, 2))
    cut = lambda s: sum(w for (u, v), w in lengths.items() if (u in s) != (v in s))
    for what, good, value in (("independent-set", apart, weight), ("clique", joined, weight), ("cut", lambda s: True, cut)):
        best = max(value(s) for s in sets if good(s))
        line, chosen = solve(what)
        s = tuple(v for v, in chosen)
        if line.get("energy") != best or not line["proved_optimal"] or not good(s) or value(s) != best:
            failed.append(f"{t} {what}: {line} {s} (expected {best})")
    k = random.randint(1, 3)
    line, colours = solve(f"colouring={k}")
    clash = lambda c: sum(w for (u, v), w in lengths.items() if c[u - 1] == c[v - 1])
    best = min(clash(c) for c in itertools.product(range(1, k + 1), repeat=n))
    chosen = [c for _, c in colours]
    if line.get("energy") != best or [v for v, _ in colours] != list(range(1, n + 1)) or clash(chosen) != best:
        failed.append(f"{t} colouring: {line} {colours} (expected {best})")
print(*failed, sep="\n") if failed else print("all right")
END
printf 'p edge 3 2\ne 1 2\ne 2 1\n' >both.clq
oa-anneal -q --no-times --graph cut both.clq | grep -o '"energy":[^,]*'
oa-anneal both.clq
oa-anneal --graph tour both.clq
oa-anneal --graph cut --sense max both.clq
oa-anneal --graph cut - <"$DATA/problem/v1/ok/a.qubo"
for text in 'p edge 2 1\ne 1 1' 'p edge 2 1\ne 1 3' 'p edge 2 2\ne 1 2' 'p edge 0 0' 'p edge 2 1\nx 1 2' \
  'p edge 2 2\ne 1 2 3\ne 2 1 4' 'p edge 2 1\ne 1 2 x' 'e 1 2'; do
  printf "$text\n" >bad.gph
  oa-anneal --graph cut bad.gph
done
