# Integers, quadratic and soft constraints in LP, MPS and WBO.  tests/python/test_dimod.py tries
# every value of random ones.
lp() {
  printf '%s\n' "$@" >p.lp
  oa-anneal -q --no-times p.lp 2>&1 | grep -o '"energy":[^,]*\|"values".*\|oa-anneal:.*' | paste -sd ' '
}
# The same in both formats.
lp min '-3 n + 2 m + [ 2 n ^ 2 + 2 n * m ] / 2' st 'n + m + [ 2 n * m ] <= 6' bounds '-2 <= n <= 5' '-3 <= m <= 4' gen 'n m' end
printf '%s\n' 'NAME t' ROWS ' N obj' ' L c' COLUMNS ' M MARKER INTORG' ' n obj -3 c 1' ' m obj 2 c 1' ' M MARKER INTEND' \
  RHS ' R c 6' BOUNDS ' LO B n -2' ' UP B n 5' ' LO B m -3' ' UP B m 4' QMATRIX ' n n 2' ' n m 1' ' m n 1' \
  'QCMATRIX c' ' n m 1' ' m n 1' ENDATA >p.mps
oa-anneal -q --no-times p.mps | grep -o '"energy":[^,]*\|"values".*' | paste -sd ' '
# Constraints limit integers that bounds leave open; equal values are one optimum.
lp max '2 n + 3 m' st 'n + m <= 1000000' 'm - 2 n <= 5' 'n >= 1' gen 'n m' end
lp min '0.1 n' st '0.3 n - 0.1 b >= 0.8' 'n <= 9' gen n bin b end
printf 'min: 0 x1\nbounds\n-2 <= n <= 3\ngen n\nbin x1\nend\n' | sed 's/min:/min\n/' >all.lp
oa-anneal -q --no-times --all-optima all.lp | grep -o '"optima_complete.*'
lp min n st 'n + m >= 1' gen 'n m' end
lp min n bounds '-inf <= n <= 4' gen n end
lp min n bounds '0.2 <= n <= 9e18' gen n end
lp min n bounds '3.2 <= n <= 3.8' gen n end
# What soft constraints cost, by number.
cat >p.wbo <<'END'
soft: ;
[3] +1 x1 +1 x2 >= 1 ;
[2] +2 x1 +3 x2 +1 x3 <= 2 ;
[5] +1 x1 x3 -1 x2 = 1 ;
+1 x1 +1 x3 >= 1 ;
END
oa-anneal -q --no-times p.wbo | grep -o '"objective.*'
# Digits and penalties for a machine: their number, and the bits of their weights.
lp min '0 - 3 n + 2 m' st '[ n * m ] <= 6' 'n + m <= 8' bounds 'n <= 5' 'm >= 1' gen 'n m' end
oa-anneal --convert bqm p.lp >p.bqm
# Values of integers by name: fixed, and where a read begins.
lp max '2 n + 3 m + k' st 'n + m <= 9' 'k <= 1' bounds '-3 <= n <= 4' 'm <= 8' gen 'n m' bin k end
fixed() { oa-anneal -q --no-times --fix v p.lp 2>&1 | grep -o '"energy":[^,]*\|"fixed":[^,]*\|"values":[^}]*\|oa-anneal:.*' | paste -sd ' '; }
printf 'm 5\nk 0\n' >v && fixed
printf '{"n": -3, "k": 1}\n' >v && fixed
for line in 'n 5' 'n -4' 'm 1.5' 'p 1'; do
  echo "$line" >v && fixed
done
printf '{"m": 5, "m digit 1": 0}\n' >v && fixed
start() { oa-anneal -q --no-times --solver sa --reads 1 --sweeps 1 --hot 1e-3 --cold 1e-3 --initial v p.lp 2>&1 | grep -o '"found_by":[^,]*\|"values":[^}]*\|oa-anneal:.*' | paste -sd ' '; }
printf '{"n": 1, "m": 8, "k": 1}\n' >v && start
printf '{"n": 1, "m": 9}\n' >v && start
printf '{"x": [1]}\n' >v && start
