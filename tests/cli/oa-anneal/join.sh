# Many runs of one problem are one line: the best, how often, how long.
printf '3 3\n1 2 1\n2 3 -2\n1 3 4\n' >a.rud
line() {
  echo '{"file":"x/'$1'","sense":"'$2'","energy":'$3',"seconds":'$4',"solver":"sa","seed":'$5'}'
}
for seed in 1 2 3 4; do line a.rud max 5 2 $seed; done >hits
for seed in 5 6 7 8 9 10; do line a.rud max 4.5 2 $seed; done >misses
line b.qubo min -3 1.5 1 >>misses
oa-anneal --join hits misses
echo '== with a target: all hit; none does'
oa-anneal --join hits misses --target 4 | head -1
oa-anneal --join hits misses --target 6 | head -1
echo '== results of the tool itself'
for seed in 1 2 3; do oa-anneal -q --no-times --seed $seed a.rud; done >own
oa-anneal --join own
echo '== problems of one name in two folders; a copy of one in a third'
mkdir da db dc
printf 'p qubo 0 1 1 0\n0 0 -160\n' >da/p.qubo
printf 'p qubo 0 1 1 0\n0 0 -112\n' >db/p.qubo
cp db/p.qubo dc/q.qubo
oa-anneal -q --no-times da/p.qubo db/p.qubo >two
oa-anneal -q --no-times --seed 2 dc/q.qubo >copy
short() { sed 's/"sense.*"best"/"best"/; s/,"hit_share.*//' "$@"; }
oa-anneal --join two copy | short
oa-anneal --best-of copy two | sed 's/,"format.*"energy"/,"energy"/; s/,"bound.*//'
echo '== results without a fingerprint are matched by their path'
sed 's/"problem":"[^"]*",//; s/"seed":1/"seed":3/' two >old
oa-anneal --join two old copy | short
oa-anneal --join old | short
echo '== one target for all solvers of a problem'
{
  line a.rud max 5 2 1
  line a.rud max 4 2 1 | sed 's/"sa"/"tabu"/'
} | oa-anneal --join - | short
echo '== a run that violates a constraint reaches nothing'
{
  line a.rud max 5 2 1
  line a.rud max 6 2 2 | sed 's/}$/,"feasible":false}/'
} >some
oa-anneal --join some | short
oa-anneal --best-of some
tail -n 1 some | oa-anneal --join - | short
echo '== refused'
status oa-anneal --join hits hits
line a.rud min 5 2 11 >turned
status oa-anneal --join hits turned
status oa-anneal --join
status oa-anneal --join a.rud
changed() { sed 's/"energy":-160,"bound":-160/"energy":'$1',"bound":'$2'/' two; }
changed -150 -150 >less
status oa-anneal --join two less
status oa-anneal --best-of less two
changed -150 -155 | sed 's/"proved_optimal":true/"proved_optimal":false/' >bounded
status oa-anneal --best-of two bounded
sed 's/db/da/' two >renamed
status oa-anneal --best-of renamed
status oa-anneal --join renamed old
echo '== nothing is feasible, which one run proves; a run that found something contradicts it'
printf 'min\n a + b\nst\n c: a + b >= 3\nbinary\n a b\nend\n' >i.lp
oa-anneal -q --no-times i.lp >proof
sed 's/"auto"/"sa"/; s/"status":"[^"]*"/"status":"no feasible solution found"/; s/"proved_by":"[^"]*"/"proved_by":null/; s/"infeasible":true/"infeasible":false/' proof >none
oa-anneal --join none proof | grep -o '"solver":"[^"]*"\|"best":.*"hits":0\|"hit_share_low":[^,]*'
oa-anneal --best-of none proof | grep -o '"status":"[^"]*"'
oa-heatmap targets none proof
sed 's/"feasible":false.*"names"/"feasible":true,"names"/' none >wrong
oa-anneal --join proof wrong
oa-anneal --best-of wrong proof
