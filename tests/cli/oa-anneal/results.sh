# Results are verified and used as start; the trace agrees with the solutions.
printf '3 3\n1 2 1\n2 3 -2\n1 3 4\n' >a.rud
oa-anneal -q --no-times a.rud --trace t >r
cat r t | sed 's/"seconds":[^,]*,//'
status oa-anneal --verify r a.rud
sed 's/"energy":5/"energy":6/' r >wrong
status oa-anneal --verify wrong a.rud
oa-anneal -q --no-times --initial r --target 5 --solver sa a.rud | sed 's/,"seed.*//'
oa-anneal -q --no-times --top 3 a.rud | sed 's/.*"top/"top/'
oa-anneal --verify r "$DATA/problem/v1/ok/a.sparse" 2>&1
printf '{"x":[0,-1,1],"energy":1}\n' >r
oa-anneal --initial r a.rud
echo '{"x":[' >r
status oa-anneal --verify r a.rud
