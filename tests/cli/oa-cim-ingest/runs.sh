# Reports distinguish runs with equal solutions from copies, in any order.
printf '3 3\n1 2 1\n2 3 1\n1 3 -2\n' >g.rud
oa-cim-pack -q -o m.tar.gz g.rud g.rud
for seed in 1 2 3; do
  oa-cim-sim m.tar.gz -o r$seed --seed $seed
done
cmp r1/m0-1_01.log r2/m0-1_01.log
count() {
  oa-cim-ingest --json m.manifest "$@" -o out 2>log
  python3 -c 'import json, sys; r = json.loads(sys.stdin.readlines()[-1])
print(*(f"{k} {r[k]}" for k in ("received", "runs", "copies", "duplicate", "reports", "energies_verified")))' <log
}
count r1
count r1 r2
count r2/*.pdf r1 r2/*.log
count r1/*.log r2/*.log r3/*.log r3/*.pdf r2/*.pdf r1/*.pdf
count r1 r2 r1 r2
count r1/*.log r2/*.log
oa-cim-ingest m.manifest r1 r2 r3 r1/*.log --tasks 2>&1 | sed '/run time/d; /created/d'
# Each run is in the stream.
make-stream --variables 4 --images 1 --queries 2 -o in.oa
oa-cim-pack -q -o s.tar.gz in.oa
for seed in 1 2; do
  oa-cim-sim s.tar.gz -o s$seed --seed $seed
done
oa-cim-ingest -q s.manifest s1 s2 -o out.oa
grep -ao '\\"task\\":[0-9]*,\\"id\\":\\"[a-z0-9]*' out.oa | sort
