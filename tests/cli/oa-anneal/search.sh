# Searches of single problems that end by a target, a time limit or what they begin with;
# several best of a problem in parts; what a solver cannot do.
number() { # KEY FILE
  grep -o "\"$1\":[-0-9.e+]*" "$2" | head -n 1 | cut -d : -f 2
}
# A torus of 20 x 20 with weights of both signs: not decided by what comes before search.
awk 'BEGIN {
  n = 20; print n * n, 2 * n * n
  for (i = 0; i < n; ++i) for (k = 0; k < n; ++k) {
    print i * n + k + 1, i * n + (k + 1) % n + 1, ((i * 7 + k * 5) % 3 == 0 ? -1 : 1)
    print i * n + k + 1, (i + 1) % n * n + k + 1, ((i * 11 + k * 3) % 5 < 2 ? -1 : 1)
  }
}' >torus.rud
oa-anneal -q --solver sa --reads 16 --sweeps 200 torus.rud >first
best=$(number energy first)
target=$((${best%.*} * 4 / 5))
for solver in auto sa pt tabu; do
  # Without the target it would take days.
  oa-anneal -q --solver $solver --target $target --time-limit 1000000 torus.rud >r
  echo "$solver: status $?, $(awk -v e="$(number energy r)" -v t=$target 'BEGIN { print (e >= t ? "reached" : "missed") }')"
  oa-anneal --verify r torus.rud >/dev/null || echo wrong
done
oa-anneal -q --time-limit 0.3 --solver sa torus.rud >r
echo "status $?"
# One sweep from a good start is not worse than the start.
oa-anneal -q --solver sa --reads 1 --sweeps 1 --no-presolve --initial first torus.rud >r
awk -v e="$(number energy r)" -v b="$best" 'BEGIN { print (e >= b ? "kept" : "lost") }'
printf '4 2\n1 2 1\n3 4 1\n' >parts.rud
oa-anneal -q --no-times --top 3 parts.rud | grep -o '"energy":[0-9]*' | tr '\n' ' '
echo
printf 'p qubo 0 9000000 1 1\n0 0 1\n0 1 -2\n' >large.qubo
status oa-anneal -q --no-presolve --solver exact large.qubo
status oa-anneal --solver greedy --reads 3 parts.rud
