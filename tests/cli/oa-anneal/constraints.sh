# Polynomials and linear constraints in LP and JSON: answers are about the variables of the
# file.  oa-exact-fuzz compares random ones with exhaustive search.
# The knapsack of a page that everybody has, with its decimals.
cat >knapsack.lp <<'END'
\ the most valuable things of 1.1 kg
Maximize
 value: 10 map + 7.5 tea + 6 rope + [ 4 map * rope ] / 2
Subject To
 weight: 0.2 map + 0.5 tea + 0.6 rope <= 1.1
 one: tea + rope >= 1
Binaries
 map tea rope
End
END
oa-anneal -q --no-times knapsack.lp | tee r | sed 's/,"seconds.*"seed":1//'
oa-anneal --verify r knapsack.lp
oa-anneal -q --no-times --top 2 knapsack.lp | grep -o '"top".*'
oa-anneal -q --no-times --all-optima knapsack.lp | grep -o '"optima.*'
printf 'map 0\n' >fix
oa-anneal -q --no-times --fix fix knapsack.lp | grep -o '"energy":[^,]*\|"x".*'
sed 's/"x":.*/"x":[1,0,0]}/; s/"energy":[^,]*/"energy":10/' r >wrong
status oa-anneal --verify wrong knapsack.lp
status oa-anneal -q --convert qubo --format lp knapsack.lp 2>/dev/null
oa-anneal -q --convert bqm knapsack.lp >k.json && oa-anneal -q k.json | grep -o '"energy":[^,]*'
# Infeasible constraints, alone or together; numbers too long to be exact.
lp() {
  printf 'min\n obj: a + b\nst\n%s\nbinary\n a b\nend\n' "$1" >c.lp
  oa-anneal --no-times -q c.lp | grep -o '"feasible.*'
}
lp ' c1: a + b >= 3'
lp ' c1: a + b = 1
 c2: a - b = 0'
lp ' c1: 1e-9 a + 1e9 b <= 5'
lp ' a + b <= 1.5'
oa-anneal --no-times c.lp >/dev/null
lp ' c1: [ a * b ] <= 1'
lp ' c1: 0 <= a + b <= 1'
printf 'min\n a + z\nst\n a + z >= 1\nbinary\n a\nend\n' >c.lp
oa-anneal c.lp
printf 'min\n a\nst\n a >= 0\ngeneral\n a\nend\n' >c.lp
oa-anneal c.lp
printf 'min\n a\nst\n a >= 0\nbinary\n a\n' >c.lp
oa-anneal -q --no-times c.lp | grep -o '"energy":[^,]*'
for text in '{"hubo":[[["a"],"x"]]}' '{"hubo":{}}' '{"hubo":[1]}' '{"hubo":{"a":1},"sense":"up"}' \
  '{"hubo":{"a":1},"constraints":[{"linear":{"a":1},"relation":"<","right":1}]}'; do
  echo "$text" >c.json
  oa-anneal c.json
done
printf 'p hubo binary 2\n0 1 2 1\n' >c.hubo
oa-anneal c.hubo
status oa-anneal --solver sa --samples s c.lp
