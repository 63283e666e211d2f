# Results of the SDK are arrays of spins: rows are runs, the last spin may be the
# reference.  They become the same answers as logs; forged and truncated ones are refused.
cat >make.py <<'END'
import json, os, struct, sys

def npy(path, rows, code="|i1", kind="b", shape=None):
    shape = shape or (len(rows), len(rows[0]))
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }" % (code, ", ".join(map(str, shape)))
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    flat = [v for row in rows for v in row]
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        f.write(struct.pack("<%d%s" % (len(flat), kind), *flat))
    return open(path, "rb").read()

good = [[1, -1, 1, 1, -1], [-1, -1, 1, 1, 1], [1, -1, 1, 1, -1]]  # 4 variables and the reference
if sys.argv[1:] == ["forged"]:
    whole = npy("0.npy", good)
    def keep(name, data):
        open(name, "wb").write(data if isinstance(data, bytes) else data.encode())
    change = lambda r, k, v: [[v if (i, j) == (r, k) else x for j, x in enumerate(row)] for i, row in enumerate(good)]
    text = json.dumps(good)
    keep("00.npy", whole[:40])
    keep("01.npy", whole[:-1])
    keep("02.npy", whole + b"\0")
    keep("03.npy", b"\x93NUMPX" + whole[6:])
    npy("04.npy", change(1, 2, 0))
    npy("05.npy", change(2, 4, 2))
    npy("06.npy", change(0, 0, float("nan")), "<f8", "d")
    npy("07.npy", change(0, 1, 0.5), "<f4", "f")
    npy("08.npy", good, shape=(3, 5, 1))
    npy("09.npy", [[1]] * 15, shape=(0, 15))
    npy("10.npy", good, shape=(15, 0))
    npy("11.npy", [r[:3] for r in good])
    npy("12.npy", [r + [1, 1] for r in good])
    keep("13.npy", whole.replace(b"|i1", b"|O1"))
    keep("14.json", text[:-1])
    keep("15.json", text.replace("-1", '"-1"', 1))
    keep("16.json", text.replace("-1", "0", 1))
    keep("17.json", json.dumps(good[:1] + [good[1][:4]]))
    keep("18.json", json.dumps([good]))
    keep("19.json", json.dumps([good[0], {"x": 1}]))
    keep("20.json", "[[]]")
    keep("21.json", "[[1,-1],3]")
    keep("22.json", text.replace("-1", "1e999", 1))
    keep("23.json", text + "x")
    keep("24.json", text.replace("1", "true", 1))
    npy("25.npy", [[1] * 5] * 10001)
else:  # the same rows as int8, int64, float, JSON, with and without the reference spin
    os.mkdir("same")
    npy("same/a.npy", good)
    npy("same/b.npy", good, "<i8", "q")
    npy("same/c.npy", good, "<f4", "f")
    json.dump(good, open("same/d.json", "w"))
    without = [[v * row[-1] for v in row[:-1]] for row in good]
    npy("same/e.npy", without)
    json.dump(without, open("same/f.json", "w"))
END
cat >p.json <<'END'
{"linear":{"a":-1,"b":2,"c":-3,"d":1},"quadratic":{"a,b":-3,"b,c":2,"c,d":-2,"a,d":1},"vartype":"BINARY"}
END
oa-cim-pack -q p.json -o p.tar.gz
python3 make.py forged
python3 make.py
for f in same/*; do
  oa-cim-ingest -q p.manifest "$f" >answer.$(basename "$f") && cmp answer.a.npy answer.$(basename "$f")
done
oa-anneal -q --verify answer.a.npy p.json
oa-cim-ingest p.manifest same/a.npy same/b.npy --json 2>&1 >/dev/null | grep -o '"received.*"copies":[0-9]*\|"by_name":[0-9]*\|"energies_verified":[0-9]*'
oa-cim-ingest p.manifest same/a.npy --tasks -q
# A folder and an archive; a name of another task; rows without a name for one of two tasks.
oa-cim-ingest -q p.manifest same | cmp - answer.a.npy
tar cf same.tar same && oa-cim-ingest -q p.manifest same.tar | cmp - answer.a.npy
sed 's/-1/-2/' p.json >p2.json
oa-cim-pack -q p.json p2.json -o two.tar.gz
cp same/a.npy nameless.npy && oa-cim-ingest -q two.manifest nameless.npy; echo "status $?"
oa-cim-ingest two.manifest nameless.npy 2>&1 >/dev/null | head -1
cp same/a.npy 0.npy && cp same/d.json Two0-1_02.json
oa-cim-ingest -q two.manifest 0.npy Two0-1_02.json | grep -o '"task":[0-9]*\|"energy":[^,]*'
oa-cim-ingest two.manifest same/a.npy --rename-to renamed --dry-run 2>/dev/null >/dev/null; echo "status $?"
oa-cim-ingest -q two.manifest 0.npy --missing skip --rename-to renamed; ls renamed
# Ising matrices get the same spins.
oa-cim-pack -q --format ising p.json -o ising.tar.gz
oa-cim-ingest -q ising.manifest same/e.npy | cmp - answer.a.npy
oa-cim-ingest -q ising.manifest same/a.npy | cmp - answer.a.npy
# Forged and truncated ones.
mkdir forged && mv [0-9][0-9].npy [0-9][0-9].json forged
for f in forged/*; do
  oa-cim-ingest --missing skip p.manifest "$f" 2>&1 >/dev/null | grep 'warning: forged' || echo "$f: taken"
done
