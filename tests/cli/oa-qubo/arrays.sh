# Least squares problems from arrays: posed, solved, compared with the truth, refused.
# npy SHAPE BYTES: an array of small whole numbers; BYTES as in printf.
npy() {
  printf '\223NUMPY\1\0v\0%-117s\n' "{'descr': '|i1', 'fortran_order': False, 'shape': $1, }"
  printf "$2"
}
npy '(3, 2)' '\1\0\0\1\2\377' >V.npy
npy '(2, 2)' '\3\377\1\1' >Q.npy
npy '(2, 3)' '\1\0\1\1\1\0' >X.npy
npy '(2, 3)' '\1\0\1\1\0\0' >other.npy
npy '(2, 3)' '\1\0\2\1\0\0' >three.npy
npy '(2, 3)' '\3\377\3\1\1\377' >Q3.npy
npy '(3, 2)' '\0\0\0\0\0\0' >zero.npy

solve() {
  oa-qubo -q --values V.npy --queries Q.npy "$@" | oa-anneal -q --no-times
}
solve >s.oa
oa-score s.oa --truth X.npy | grep -v time
oa-score s.oa --truth other.npy --json | tr , '\n' | grep -E 'residual|errors|support|truth'
for options in '--coefficients spin' '--coefficients spin --levels 4' \
  '--coefficients levels --levels 3 --lambda 0.5'; do
  solve $options | oa-score | grep -E 'residual|proved'
done
oa-qubo --values V.npy --queries Q.npy -o s.oa --json 2>&1 >/dev/null
oa-view s.oa | grep -E 'oa\.(lowest|highest|complex|problems)'

echo '-- a known sum'
for k in 0 1 2 3; do
  oa-qubo --values V.npy --queries Q.npy --choose $k -o s.oa 2>&1
  oa-anneal -q --no-times s.oa | oa-score | grep -E 'residual|support|proved'
done
oa-qubo --values V.npy --queries Q.npy --choose 2 --penalty 0.5 -o s.oa --json

echo '-- refused'
try() { status oa-qubo -o none.oa "$@"; }
try --values V.npy --queries Q3.npy
try --values zero.npy --queries Q.npy
try --values V.npy --queries Q.npy --coefficients levels
try --values V.npy --queries Q.npy --coefficients spin --levels 3
try --values V.npy --queries Q.npy --coefficients spin --lambda 1
try --values V.npy --queries Q.npy --coefficients continuous
try --values V.npy --queries Q.npy --choose 4
try --values V.npy --queries Q.npy --choose=-1
try --values V.npy --queries Q.npy --choose 1 --coefficients spin
try --values V.npy --queries Q.npy --choose 1 --lambda 1
try --choose 1 m.bin
try --values V.npy
try m.bin --values V.npy --queries Q.npy
try --coefficients spin m.bin
try
solve | oa-score --truth three.npy
solve | oa-score --truth V.npy
solve | oa-score --top-k 3
ls none.oa
