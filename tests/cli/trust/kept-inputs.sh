# No tool replaces a file that it reads, whatever names the file; nothing is changed.
try() {
  "$@" >/dev/null 2>err
  echo "status $?"
  sed "s,$PWD,HERE," err
}
printf 'p qubo 0 2 1 1\n0 0 -1\n0 1 2\n' >p.qubo
ln -s p.qubo soft
ln p.qubo hard
make-stream --images 2 -o in.oa
oa-anneal -q -o solved.oa in.oa
oa-anneal -q --no-times -o r p.qubo
printf '1 0\n' >v
cp p.qubo first.qubo
cksum p.qubo in.oa solved.oa r v >before
echo "--- the problem"
for output in p.qubo ./p.qubo soft hard "$PWD/p.qubo"; do try oa-anneal -q -o "$output" p.qubo; done
try oa-anneal -q -o p.qubo <p.qubo
try oa-anneal -q -o p.qubo first.qubo p.qubo
try oa-anneal -q --convert bqm -o p.qubo p.qubo
try oa-anneal -q --trace p.qubo p.qubo
try oa-anneal -q --solver sa --samples p.qubo p.qubo
try oa-anneal -q --json=p.qubo -o o p.qubo
echo "--- other inputs"
try oa-anneal -q --initial v -o v p.qubo
try oa-anneal -q --fix v -o v p.qubo
try oa-anneal -q --trace r --initial r p.qubo
try oa-anneal -q --verify r -o r p.qubo
try oa-anneal -q --best-of -o r r
try oa-anneal -q --join -o r r
try oa-anneal -q -o in.oa in.oa
try oa-view --head 1 -o in.oa in.oa
try oa-cim-pack -q -o in.oa --manifest m in.oa
try oa-cim-pack -q -o a.tar.gz --manifest in.oa --force in.oa
oa-anneal -q p.qubo >>p.qubo
echo "status $?"
cksum p.qubo in.oa solved.oa r v | cmp - before && echo unchanged
echo "--- models, archives, results, data sets"
oa-digits -q -o d --train 200 --test 60
oa-train -q d -o m.bin --epochs 1 --checkpoint c
oa-cim-pack -q -o a.tar.gz in.oa
mkdir results
oa-cim-sim -q a.tar.gz -o results
oa-qubo -q m.bin d | oa-anneal -q -o s.oa
ln -s s.oa s.png
sums() { find a.tar.gz a.manifest results d m.bin s.oa -type f -exec cksum {} + | sort; }
sums >before
try oa-cim-ingest -q a.manifest results -o a.manifest
for log in results/*.log; do try oa-cim-ingest -q a.manifest results -o "$log" | sed 's,results/.*log,LOG,'; break; done
oa-digits -q -o e --train 1 --test 400
try oa-tasks scenes --images e/t10k-images-idx3-ubyte -o e --force --train 3 --test 2
oa-view --check e/t10k-images-idx3-ubyte
try oa-score -o s.oa s.oa
try oa-score --csv s.oa s.oa
try oa-heatmap boxplot s.oa -o s.png
try oa-train -q d --init m.bin -o m.bin --epochs 1
try oa-qubo -q m.bin d -o m.bin
try oa-qubo -q m.bin d -o d/t10k-images-idx3-ubyte
try oa-score m.bin d -o m.bin
sums | cmp - before && echo unchanged
echo "--- a training continues its own checkpoint"
try oa-train -q d -o m.bin --epochs 2 --resume c --checkpoint c
try oa-train -q d -o c --epochs 3 --resume c
ls -A
