# Final states of reads, all optima, fixed variables, and start vectors.
find_numpy
value() { # KEY, of a line of JSON
  grep -o "\"$1\":[^,}]*" | head -n 1 | cut -d : -f 2-
}
# A ring of 6 with one edge for equal spins: each of the 6 ways to violate one edge, twice.
printf '6 6\n1 2 1\n2 3 1\n3 4 1\n4 5 1\n5 6 1\n1 6 -1\n' >ring.rud
oa-anneal -q --no-times --all-optima ring.rud >all
value energy <all
value optima_complete <all
grep -o '"optima":.*' all | tr -cd ']' | wc -c
# As many as exhaustive search finds.
$python - ring.rud <<'END'
import itertools, sys
rows = [l.split() for l in open(sys.argv[1])][1:]
edges = [(int(a) - 1, int(b) - 1, int(w)) for a, b, w in rows]
cuts = [sum(w for a, b, w in edges if x[a] != x[b]) for x in itertools.product((0, 1), repeat=6)]
print(max(cuts), cuts.count(max(cuts)))
END
# More than can be listed: it says so.
awk 'BEGIN { print "p qubo 0 20 1 0"; print "19 19 -1" }' >free.qubo
oa-anneal --no-times --all-optima free.qubo >many
value optima_complete <many
# Counted without a list, and also where there are too many to be listed.
for problem in ring.rud free.qubo; do
  oa-anneal -q --no-times --count-optima $problem | value optima_count
done
awk 'BEGIN { n = 40; print n * n, 2 * n * (n - 1); for (i = 0; i < n; i++) for (j = 0; j < n; j++) {
  if (j + 1 < n) print i * n + j + 1, i * n + j + 2, 1
  if (i + 1 < n) print i * n + j + 1, (i + 1) * n + j + 1, -1 } }' >wide.rud
oa-anneal --no-times --count-optima wide.rud | value optima_count
status oa-anneal -q --no-times --count-optima --solver sa ring.rud
printf '1\n' >one.csv
status oa-anneal -q --no-times --all-optima --solver sa one.csv
# Every read counts once, the best come first, and each energy is that of its x.
for file in s.json s.csv s.npy; do
  oa-anneal -q --no-times --solver sa --reads 40 --sweeps 3 --samples $file ring.rud >r
done
$python - <<'END'
import csv, json, numpy
lines = [json.loads(l) for l in open("s.json")]
rows = list(csv.reader(open("s.csv")))
array = numpy.load("s.npy")
assert rows[0] == ["energy", "count", "first"] + [f"x{i}" for i in range(6)]
table = [[l["energy"], l["count"], l["first"]] + l["x"] for l in lines]
assert [[float(c) for c in r] for r in rows[1:]] == table == array.tolist()
assert sum(l["count"] for l in lines) == 40
assert len({tuple(l["x"]) for l in lines}) == len(lines)
assert [l["energy"] for l in lines] == sorted((l["energy"] for l in lines), reverse=True)
assert min(l["first"] for l in lines) == 0
edges = [(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 4, 1), (4, 5, 1), (0, 5, -1)]
for l in lines:
    assert l["energy"] == sum(w for a, b, w in edges if l["x"][a] != l["x"][b])
print("same in three formats")
END
oa-anneal -q --solver sa --samples s.csv ring.rud one.csv >r
echo "status $?"
status oa-anneal -q --solver tabu --samples s.csv ring.rud
# Variables with values: by number, by name, all of them.
printf '0 1\n# a comment\n3,1\n' >fix
oa-anneal -q --no-times --fix fix ring.rud | tee r | sed 's/"seconds.*"seed"/"seed"/'
oa-anneal --verify r ring.rud
oa-anneal -q --no-times --all-optima --count-optima --fix fix ring.rud | grep -o '"optima.*'
cat >named.json <<'END'
{"type":"BinaryQuadraticModel","version":{"bqm_schema":"3.0.0"},"use_bytes":false,
"index_type":"int32","bias_type":"float64","num_variables":3,"num_interactions":2,
"variable_labels":["a","b",7],"variable_type":"BINARY","offset":0.5,
"linear_biases":[1,-2,0.25],"quadratic_biases":[1,-3],"quadratic_head":[0,1],"quadratic_tail":[1,2]}
END
printf '{"b": 0, "7": 1}' >fix
oa-anneal -q --no-times --fix fix named.json | grep -o '"energy":[^,]*\|"fixed.*'
printf 'a 1\nb 1\n7 1\n' >fix
oa-anneal -q --no-times --fix fix named.json | grep -o '"energy":[^,]*\|"status":[^,]*\|"x.*'
for line in 'c 1' 'a 2' 'a' 'a 1 1'; do
  printf '%s\n' "$line" >fix
  status oa-anneal --fix fix named.json
done
printf '0 0\n' >fix
oa-anneal --fix fix ring.rud
# Vectors to begin with, as numpy, JSON, a column and a result have them.
$python -c 'import numpy; x = numpy.array([-1, 1, -1, 1, -1, 1], dtype="int8")
numpy.save("v.npy", x); numpy.savetxt("v.txt", x); numpy.savetxt("row.txt", x[None], fmt="%d")
print(x.tolist(), file=open("v.json", "w"))'
printf '0,1,0,1,0,1\n' >v.csv
for v in v.npy v.txt row.txt v.json v.csv all; do
  oa-anneal -q --no-times --solver sa --reads 1 --sweeps 1 --no-presolve --initial $v ring.rud |
    value energy
done
printf '0 1 2 1 0 1\n' >v.txt
oa-anneal --initial v.txt ring.rud
printf '0 1\n' >v.txt
oa-anneal --initial v.txt ring.rud
# A target that is not reached is a negative answer.
oa-anneal --no-times --target 4 ring.rud 2>&1 >r
echo "status $? $(value target_reached <r)"
oa-anneal --no-times --target 5 ring.rud 2>&1 >r
echo "status $? $(value target_reached <r)"
status oa-anneal --convert csv --target 5 ring.rud
status oa-anneal --verify all --time-limit 5 ring.rud
# Of several initial vectors the best counts; open values begin as 0.
printf '2 1\n1 2 5\n' >pair.bq
printf '1 1\n? 0\n0 ?\n' >starts
oa-anneal -q --no-times --initial starts pair.bq | grep -o '"energy":[^,]*'
printf '[1, null]\n[null]\n' >starts
oa-anneal -q --no-times --initial starts pair.bq
oa-anneal -q --no-times --initial starts pair.bq pair.bq 2>&1 | grep -o 'starts.*'
