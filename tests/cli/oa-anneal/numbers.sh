# A file that counts from 1 in a format that counts from 0: a warning, no other status.
printf '1 2 -2\n2 3 -1\n3 3 2\n' >one.rudy
oa-anneal -q --no-times --format coo --vartype binary one.rudy 2>err | grep -o '"energy":[^,]*\|"x".*'
echo "quiet: $(cat err)"
oa-anneal --no-times --format coo --vartype binary one.rudy >/dev/null
echo "status $?"
printf 'p hubo binary 3\n1 2 -1\n' >one.hubo
oa-anneal --no-times one.hubo >/dev/null
printf 'p hubo binary 3\n0 1 -1\n' >zero.hubo
oa-anneal --no-times zero.hubo >/dev/null

# Weights beyond 2^53 are exact: x = [1,0] is better by 1.
printf 'p qubo 0 2 2 1\n0 0 -9007199254740993\n1 1 -9007199254740992\n0 1 1e17\n' >big.qubo
oa-anneal -q --no-times big.qubo | grep -o '"proved_optimal":[^,]*\|"x".*'
printf 'p qubo 0 1 1 0\n0 0 1234567890123456789012345678901234567890\n' >long.qubo
status oa-anneal long.qubo
printf '2 1\n1 2 5e-324\n' >half.rud
status oa-anneal half.rud

# Doubles in constraints hold within a tolerance.
printf 'min\n x + 2 y + 3 z\nst\n c: 0.3333333333333333 x + 0.3333333333333333 y + 0.3333333333333333 z = 1\nbinary\n x y z\nend\n' >third.lp
oa-anneal -q --no-times third.lp | tee r | grep -o '"proved_optimal":[^,]*\|"feasible".*'
oa-anneal --verify r third.lp
