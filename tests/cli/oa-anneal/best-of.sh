# Several runs, and the best answer of each: of result lines and of streams.
printf '3 3\n1 2 1\n2 3 -2\n1 3 4\n' >a.rud
oa-anneal -q --no-times --solver greedy a.rud >greedy
oa-anneal -q --no-times --solver exact a.rud >exact
line() { echo '{"file":"'$1'","sense":"'$2'","energy":'$3',"seconds":1,"proved_optimal":'$4',"x":[1]}'; }
{ line b.qubo min 3 false; line c.rud max 3 false; line b.qubo min 3 true; } >>greedy
{ line b.qubo min 3 true; line c.rud max 4 false; line d.qubo min -1 false; } >>exact
oa-anneal --best-of greedy exact
echo '== streams'
make-stream --variables 40 --images 3 -o s.oa
for seed in 1 2 3; do
  oa-anneal -q --no-times --solver sa --reads 1 --sweeps 1 --seed $seed s.oa -o run$seed.oa
done
oa-anneal -q --no-times --solver exact s.oa -o exact.oa
oa-anneal --best-of run1.oa run2.oa run3.oa -o best.oa
oa-view --check best.oa
# Every energy is the least of the runs', every bound the highest.
cat >least.py <<'END'
import struct, sys
from frames import frames

def tensors(path, name):
    parts = [data[slice(*header[name]["data_offsets"])] for header, _, data, _ in frames(path) if name in header]
    return [x for part in parts for (x,) in struct.iter_unpack("<d", part)]

for name, best in ("energy", min), ("bound", max):
    runs = [tensors(path, name) for path in sys.argv[2:]]
    print(name, tensors(sys.argv[1], name) == [best(each) for each in zip(*runs)],
          [sum(map(float.__ne__, run, runs[0])) > 0 for run in runs[1:]])
END
python3 least.py best.oa run1.oa run2.oa run3.oa
oa-anneal --best-of run1.oa exact.oa run2.oa -o best.oa && oa-view --check best.oa
python3 least.py best.oa run1.oa exact.oa run2.oa
echo '== refused'
try() {
  oa-anneal "$@" 2>&1 >/dev/null
  echo "status $?"
}
make-stream --variables 12 --images 2 --seed 5 -o other.oa
oa-anneal -q --no-times other.oa -o other-run.oa
try --best-of run1.oa other-run.oa
try --best-of run1.oa s.oa
try --best-of s.oa
try --best-of
try --best-of --join exact
try --best-of --reads 3 exact
line c.rud min 3 false >turned
try --best-of exact turned
