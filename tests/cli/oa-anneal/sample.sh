# States at a temperature and marginals: of single problems and of a stream; refusals.
cat >p.qubo <<'END'
p qubo 0 3 3 2
0 0 -1
1 1 0.5
2 2 -0.25
0 1 1
1 2 -2
END
# Later digits are those of the processor's exponentials.
digits() { sed 's/\(0\.[0-9]\{9\}\)[0-9]*/\1/g'; }
oa-anneal --sample 4 --temperature 1 p.qubo
oa-anneal -q --sample 1000 --beta 2 --samples s.csv --marginals - p.qubo | digits
head -1 s.csv
awk -F, 'NR > 1 { n += $2; one += $2 * $4 } END { print n, (one / n > 0.55 && one / n < 0.8) }' s.csv
oa-anneal -q --temperature 1 --marginals m.csv p.qubo && digits <m.csv
oa-anneal -q --temperature 1 --marginals - --sense max p.qubo | digits

echo '-- a stream'
make-stream --variables 12 --images 2 -o s.oa
oa-anneal -q --sample 50 --temperature 0.5 --no-times s.oa >t.oa
oa-anneal -q --sample 50 --temperature 0.5 --no-times -j 1 s.oa | cmp - t.oa
oa-view --check t.oa

echo '-- refused'
try() { status oa-anneal "$@" p.qubo; }
try --sample 5
try --temperature 2
try --marginals m.csv
try --sample 5 --temperature 0
try --sample 5 --temperature -1
try --sample 0 --temperature 1
try --sample 5 --temperature 1 --beta 1
try --sample 5 --temperature 1 --solver sa
try --sample 5 --temperature 1 --top 2
try --sample 5 --temperature 1 --target 3
try --temperature 1 --marginals m.csv --samples s.csv
try --sample 5 --temperature 1 --marginals -
oa-anneal -q --sample 5 --temperature 1 --samples s.npy p.qubo p.qubo
oa-anneal -q --temperature 1 --marginals m.csv s.oa
oa-anneal -q s.oa | oa-score --marginals
