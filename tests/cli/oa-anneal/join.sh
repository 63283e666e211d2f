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
echo '== refused'
oa-anneal --join hits hits
echo "status $?"
line a.rud min 5 2 11 >turned
oa-anneal --join hits turned
echo "status $?"
oa-anneal --join
echo "status $?"
oa-anneal --join a.rud
echo "status $?"
