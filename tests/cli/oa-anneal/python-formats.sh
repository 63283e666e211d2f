# Files of Python programs: numpy.savetxt, pandas with header and index, scipy.sparse,
# dictionaries of biases, D-Wave's binary file.  Each is compared with exhaustive search.
python=
for p in python3 /usr/bin/python3; do
  if [ -z "$python" ] && $p -c 'import numpy' 2>/dev/null; then python=$p; fi
done
[ -n "$python" ] || { echo "no numpy"; exit 77; }
$python - <<'END'
import io, itertools, json, struct, subprocess, zipfile
import numpy

rng = numpy.random.default_rng(7)
failed = []

def minimum(energy, values, n):
    return min(energy(x) for x in itertools.product(values, repeat=n))

def check(name, path, expected, *options):
    out = subprocess.run(["oa-anneal", "-q", "--no-times", *options, path],
                         capture_output=True, text=True)
    if out.returncode != 0:
        failed.append(f"{name}: {out.stderr.strip()}")
        return {}
    line = json.loads(out.stdout)
    if line["energy"] != expected:
        failed.append(f"{name}: {line['energy']}, not {expected}")
    back = subprocess.run(["oa-anneal", "--verify", "-", path, *options], input=out.stdout,
                          capture_output=True, text=True)
    if back.returncode != 0:
        failed.append(f"{name}: does not verify: {back.stdout}{back.stderr}")
    return line

def sparse(matrix, kind, **more):
    """The members that scipy.sparse.save_npz writes."""
    n = len(matrix)
    order = [(i, k) for i in range(n) for k in range(n)]
    if kind == "csc":
        order = [(i, k) for k in range(n) for i in range(n)]
    entries = [(i, k, matrix[i][k]) for i, k in order if matrix[i][k] != 0]
    data = numpy.array([w for _, _, w in entries])
    if kind == "coo":
        return dict(row=numpy.array([i for i, _, _ in entries], dtype="int32"),
                    col=numpy.array([k for _, k, _ in entries], dtype="int32"),
                    data=data, shape=numpy.array(matrix.shape), format=b"coo")
    major = [i if kind == "csr" else k for i, k, _ in entries]
    minor = [k if kind == "csr" else i for i, k, _ in entries]
    starts = numpy.searchsorted(major, range(n + 1)).astype("int32")
    return dict(indices=numpy.array(minor, dtype="int32"), indptr=starts, data=data,
                shape=numpy.array(matrix.shape), format=kind.encode())

def bqm_file(linear, pairs, offset, vartype, labels=None, dtype="float64", version=2):
    """The layout of BinaryQuadraticModel.to_file()."""
    n = len(linear)
    header = dict(shape=[n, len(pairs)], dtype=dtype, itype="int32", ntype="int32",
                  vartype=vartype, type="BinaryQuadraticModel",
                  variables=bool(labels) if version == 2 else labels or list(range(n)))
    text = json.dumps(header, sort_keys=True).encode() + b"\n"
    head = b"DIMODBQM" + bytes([version, 0])
    text += b" " * (-(len(head) + 4 + len(text)) % 64)
    real = "<d" if dtype == "float64" else "<f"
    beside = [[] for _ in linear]
    for i, k, w in pairs:
        beside[i].append((k, w))
        beside[k].append((i, w))
    body = struct.pack(real, offset)
    start = 0
    for i, bias in enumerate(linear):
        body += struct.pack("<i", start) + struct.pack(real, bias)
        start += len(beside[i])
    for neighbours in beside:
        for k, w in sorted(neighbours):
            body += struct.pack("<i", k) + struct.pack(real, w)
    tail = b""
    if labels and version == 2:
        names = json.dumps(labels).encode()
        names += b" " * (-(8 + len(names)) % 64)
        tail = b"VARS" + struct.pack("<I", len(names)) + names
    return head + struct.pack("<I", len(text)) + text + body + tail

for n in (2, 3, 4, 7):
    q = rng.integers(-9, 10, (n, n)) / 4
    best = minimum(lambda x: float(numpy.array(x) @ q @ numpy.array(x)), (0, 1), n)
    numpy.savetxt("m.txt", q)
    check(f"savetxt {n}", "m.txt", best)
    numpy.savetxt("m.any", q)
    check(f"savetxt by content {n}", "m.any", best)
    numpy.savetxt("m.txt", q, fmt="%.2f", delimiter="\t", header="a comment")
    check(f"savetxt with tabs {n}", "m.txt", best)
    whole = (4 * q).astype(int)
    numpy.savetxt("m.txt", whole, fmt="%d")
    check(f"savetxt whole {n}", "m.txt", 4 * best)
    rows = [",".join(repr(float(c)) for c in row) for row in q]
    names = [f"c{i}" for i in range(n)]
    tables = {
        "header and index": [",".join([""] + names)] + [f"c{i}," + r for i, r in enumerate(rows)],
        "numbered": [",".join([""] + [str(i) for i in range(n)])] + [f"{i}," + r for i, r in enumerate(rows)],
        "header": [",".join(names)] + rows,
        "numbered header": [",".join(str(i) for i in range(n))] + rows,
        "index": [f"c{i}," + r for i, r in enumerate(rows)],
        "numbered index": [f"{i}," + r for i, r in enumerate(rows)],
        "named index": [",".join(["name"] + names)] + [f"c{i}," + r for i, r in enumerate(rows)],
        "quoted": [",".join(['""'] + [f'"{c}"' for c in names])] + [f'"c{i}",' + r for i, r in enumerate(rows)],
        "plain": rows,
    }
    for kind, lines in tables.items():
        with open("t.csv", "w") as file:
            file.write("\n".join(lines) + "\n")
        line = check(f"csv {kind} {n}", "t.csv", best)
        named = names if kind in ("header and index", "header", "index", "named index", "quoted") else None
        if line.get("names") != named:
            failed.append(f"csv {kind} {n}: names {line.get('names')}")
    for kind in ("csr", "csc", "coo"):
        for save in (numpy.savez, numpy.savez_compressed):
            save("s.npz", **sparse(q, kind))
            check(f"npz {kind} {n}", "s.npz", best)
    numpy.savez("s.npz", q)
    check(f"npz array {n}", "s.npz", best)
    for vartype, values in (("BINARY", (0, 1)), ("SPIN", (-1, 1))):
        linear = [float(q[i][i]) for i in range(n)]
        pairs = [(i, k, float(q[i][k])) for i in range(n) for k in range(i) if q[i][k] != 0]
        def energy(x):
            return 0.5 + sum(a * b for a, b in zip(linear, x)) + sum(w * x[i] * x[k] for i, k, w in pairs)
        best_bqm = minimum(energy, values, n)
        names = [f"v{9 - i}" for i in range(n)]
        keys = {
            "commas": lambda i, k: f"{names[i]},{names[k]}",
            "tuples": lambda i, k: str((names[i], names[k])),
            "spaces": lambda i, k: f"{names[i]} {names[k]}",
        }
        for kind, key in keys.items():
            model = dict(linear=dict(zip(names, linear)), offset=0.5, vartype=vartype,
                         quadratic={key(i, k): w for i, k, w in pairs})
            json.dump(model, open("d.json", "w"))
            line = check(f"dict {kind} {vartype} {n}", "d.json", best_bqm)
            if line and line["names"] != names:
                failed.append(f"dict {kind}: names {line['names']}")
        model = dict(linear=linear, quadratic=[[i, k, w] for i, k, w in pairs], offset=0.5)
        json.dump(model, open("d.json", "w"))
        check(f"dict lists {vartype} {n}", "d.json", best_bqm, "--vartype", vartype.lower())
        nested = {}
        for i, k, w in pairs:
            nested.setdefault(str(i), {})[str(k)] = w
        json.dump(dict(model, quadratic=nested), open("d.json", "w"))
        check(f"dict nested {vartype} {n}", "d.json", best_bqm, "--vartype", vartype.lower())
        for version in (1, 2):
            for labels in (None, names):
                for dtype in ("float64", "float32"):
                    with open("b.bqm", "wb") as file:
                        file.write(bqm_file(linear, pairs, 0.5, vartype, labels, dtype, version))
                    line = check(f"file {version} {vartype} {n}", "b.bqm", best_bqm)
                    if line.get("names") != labels:
                        failed.append(f"file {version}: names {line.get('names')}")
# The file that D-Wave's own documentation shows.
shown = (b'DIMODBQM\x02\x00\xb2\x00\x00\x00{"dtype": "float64", "itype": "int32", "ntype": "int32", '
         b'"shape": [2, 1], "type": "BinaryQuadraticModel", "variables": true, "vartype": "BINARY"}\n')
shown += b" " * (14 + 0xb2 - len(shown)) + bytes(20) + b"\x01\0\0\0" + bytes(8)
shown += b"\x01\0\0\0" + struct.pack("<d", -1) + bytes(4) + struct.pack("<d", -1)
shown += b"VARS8\0\0\0" + b'["x", "y"]'.ljust(0x38)
open("shown.bqm", "wb").write(shown)
if check("the file in the documentation", "shown.bqm", -1).get("names") != ["x", "y"]:
    failed.append("names of the file in the documentation")
# Cut or changed anywhere, it is refused or read.
for k in range(0, len(shown), 7):
    for bytes_ in (shown[:k], shown[:k] + b"\xff" + shown[k + 1:]):
        open("cut.bqm", "wb").write(bytes_)
        out = subprocess.run(["oa-anneal", "-q", "--format", "bqm", "cut.bqm"], capture_output=True)
        if out.returncode not in (0, 3):
            failed.append(f"byte {k}: status {out.returncode}")
try:
    import scipy.sparse
    for kind in ("csr", "csc", "coo"):
        scipy.sparse.save_npz("s.npz", scipy.sparse.random(6, 6, 0.5, kind, random_state=1))
        if subprocess.run(["oa-anneal", "-q", "s.npz"], capture_output=True).returncode != 0:
            failed.append("scipy " + kind)
except ImportError:
    pass
try:
    import pandas
    frame = pandas.DataFrame([[1.0, -2.0], [0.0, 0.5]], index=["a", "b"], columns=["a", "b"])
    frame.to_csv("p.csv")
    check("pandas", "p.csv", -0.5)
except ImportError:
    pass
print(*failed, sep="\n") if failed else print("all read")
END
# Files of no format.
cat >wrong.sh <<'END'
try() {
  printf "$1" >"$2"
  oa-anneal "$2"
  echo "status $?"
}
try ',a,b\na,1,2\nc,3,4\n' t.csv
try 'a,b\n1,2\n' t.csv
try 'a,a\n1,2\n3,4\n' t.csv
try '1 2.5\n3\n' t.txt
try '{"linear":{"a":1},"quadratic":{"a":{"a":1}}}' t.json
try '{"linear":{"a":1},"quadratic":{"abc":1}}' t.json
try '{"linear":{"a":"x"},"quadratic":{}}' t.json
try '{"linear":{"a":1},"vartype":"TRIT"}' t.json
try '{"linear":{},"quadratic":{}}' t.json
END
sh wrong.sh
$python - <<'END'
import numpy
numpy.savez("none.npz", a=numpy.zeros((2, 2)), b=numpy.zeros((2, 2)))
whole = dict(indices=numpy.array([0, 1]), indptr=numpy.array([0, 1, 2]), data=numpy.array([1.0, 2.0]),
             shape=numpy.array([2, 2]), format=b"csr")
numpy.savez("dia.npz", **dict(whole, format=b"dia"))
numpy.savez("range.npz", **dict(whole, indices=numpy.array([0, 2])))
numpy.savez("falls.npz", **dict(whole, indptr=numpy.array([0, 2, 1])))
numpy.savez("long.npz", **dict(whole, indptr=numpy.array([0, 1, 9])))
numpy.savez("wide.npz", **dict(whole, shape=numpy.array([2, 3])))
numpy.savez("less.npz", **{k: v for k, v in whole.items() if k != "data"})
END
for f in none dia range falls long wide less; do
  oa-anneal -q $f.npz
  echo "status $?"
done
oa-anneal --convert npz none.npz
echo "status $?"
