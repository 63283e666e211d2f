# One program as other programs write it, with a range, an integer from 0 to 1 and a
# constant.  a = c = d = 1 is the optimum, 3.  PuLP and SCIP in OPB lose the constant -5.
# docplex and CPLEX negate all of the objective in MPS but its constant; CPLEX, too, reads
# -13 there.
for file in "$DATA"/program/v1/ok/*; do
  oa-anneal -q --no-times "$file" >r || continue
  echo "$(basename "$file") $(grep -o '"sense":"...","vartype' r | cut -c 10-12)" \
    "$(grep -o '"energy":[^,]*' r) $(grep -o '"status":"[^"]*"' r) $(grep -o '"x":.*' r)"
done
# PuLP says only in a comment that it maximises.
cp "$DATA/program/v1/ok/pulp.mps" .
oa-anneal --no-times pulp.mps 2>&1 >r
oa-anneal -q --no-times --sense max pulp.mps | grep -o '"energy":[^,]*'
lp() {
  printf '%s\n' "$@" >p.lp
  oa-anneal -q --no-times p.lp 2>&1 | grep -o '"energy".*\|oa-anneal:.*' | sed 's/,"bound.*"x"/ x/'
}
# Both sides, ranges, and constants that stay decimals: 0.7 + 0.1 a = 0.8 has a solution.
lp Max 'a + b + c' st 'a + 2 >= b + 2' '-1 <= b - c <= 0' '0.7 + 0.1 a = 0.8' binary 'a b c' end
lp Max 'a + b' st 'r: 3 a <= 2 b' ' + 1 <= a + b' bounds '-inf <= a <= 1' 'b <= 1' gen 'a b' end
lp min 'a - 3 k + [ 4 k * a + 2 k ^ 2 ] / 2' st 'a + k >= 2.5' bounds 'k = 2.5' bin a end
lp min 'a + x[1] + 2 x/y' st 'a + x[1] + x/y >= 2' binary 'a x[1] x/y' semi end
# A slack of one constraint, and an equation that fixes a continuous variable.
lp max 'a + b + c' st 'a + b + c + s = 2' 'one = 1' 'a - one >= 0' bin 'a b c' end
# What cannot be meant is refused by its name.
lp min 'a + s' st 'a + s >= 1' 'a - s <= 1' bounds 's <= +inf' bin a end
lp min 'a + n' st 'a + n >= 1' bounds 'n <= 5' general n bin a end
lp min a st 'a >= 0' general a end
lp min a st '0 <= a >= 1' bin a end
lp min a st 'a >= +inf' bin a end
lp min a st 'a >= 0' bin a semi-continuous s end
lp min 1 st bounds 'k = 1' end
# A range goes on in the next line after a label; dimod writes no empty objective.
lp max 'a + b + c' st 'r: 1 <= a + b' ' + c <= 2' bin 'a b c' end
lp 'Subject To' 'r: a + b >= 2' bin 'a b' end
# What would not read back is not written.
printf '%s\n' min n st 'n >= 2' bounds 'n = 2' general n end >p.lp
oa-anneal --convert qs p.lp 2>&1
echo '{"linear": {"st": -1, "Bounds": 2}}' >p.json
oa-anneal --convert lp p.json 2>&1 | grep -v warning
