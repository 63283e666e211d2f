# Two pipelines in one folder do not disturb each other; two that write the same file
# leave one of both, whole.
make-stream --images 300 --variables 8 -o p.oa
make-stream --images 300 --variables 8 --seed 2 -o q.oa
oa-anneal -q --no-times p.oa -o p.want
oa-anneal -q --no-times q.oa -o q.want
for round in 1 2 3 4 5; do
  oa-anneal -q --no-times p.oa -o p.s &
  oa-anneal -q --no-times q.oa -o q.s &
  oa-anneal -q --no-times p.oa -o same.s &
  oa-anneal -q --no-times q.oa -o same.s &
  wait
  cmp p.s p.want && cmp q.s q.want || echo different
  cmp -s same.s p.want || cmp same.s q.want || echo neither
done
ls -A
