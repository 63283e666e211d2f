# --precision split spreads coefficients over copies of their variables; ingest decodes
# them, counts broken copies and repairs them.
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
status five --spins 6 --precision split -o x.tar.gz
status five --spins 4 --precision split -o x.tar.gz
five --precision split --format ising --folder -o sp 2>&1 | grep 'split\|spins of\|optima are'
cat sp/0.csv
make-stream --variables 6 --images 1 -o in.oa
oa-cim-pack --plan in.oa | head -4
# Copies of the best answers agree; those of noise are counted and repaired.
back() { oa-cim-ingest -q --json=sum.json "$@" five.manifest r && grep -o '"broken[a-z_]*":[0-9]*' sum.json; }
for format in qubo ising; do
  five -q --precision split --format $format --folder -o up$format --manifest five.manifest
  rm -rf r
  oa-cim-sim -q up$format --format $format -o r --seed 1
  back
  python3 - r/*.log up$format/0.csv $format <<'END'
import json, random, sys
random.seed(9)
m = [[float(v) for v in line.split(",")] for line in open(sys.argv[2])]
pairs = [(i, k) for i in range(len(m)) for k in range(len(m))]
def noise(ising):
    x = [random.choice([-ising, 1]) for _ in m[1:]] + [1 if ising else random.choice([0, 1])]
    value = sum(m[i][k] * x[i] * x[k] for i, k in pairs if ising or i <= k)
    return {"quboValue": -value if ising else value, "solutionVector": x}
json.dump([noise(sys.argv[3] == "ising") for _ in range(10)], open(sys.argv[1], "w"))
END
  rm -f r/*.pdf
  back --choose original
done
