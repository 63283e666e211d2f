# Polynomials in their own form, and quadratic problems that were made from them.
short() { sed 's/"file.*"variables"/"variables"/; s/,"gap":.*\("proved_optimal":[a-z]*\).*"x"/,\1,"x"/'; }
solve() { oa-anneal -q --no-times "$@" | short; }
# Low autocorrelations: the sum over k of (sum of s_i s_(i+k))^2.
labs() {
  awk -v n="$1" 'BEGIN {
    print "p hubo spin " n
    for (k = 1; k < n; k++)
      for (i = 0; i + k < n; i++)
        for (j = 0; j + k < n; j++)
          if (i == j) print 1
          else if (j == i + k) print i, j + k, 1
          else if (i == j + k) print j, i + k, 1
          else print i, i + k, j, j + k, 1
  }'
}
labs 13 >labs.hubo
labs 27 >labs27.hubo
for solver in auto exact sa pt tabu; do
  solve --solver $solver labs.hubo | sed 's/,"bound.*//'
done
echo '== proved; several; from a start; with values; one that is reached'
solve labs27.hubo
solve --top 3 labs.hubo
solve --all-optima labs.hubo
printf '1 1 1 1 1 0 0 1 1 0 1 0 1\n' >start
solve --initial start --solver sa --reads 1 --sweeps 1 labs.hubo
printf '0 1\n1 1\n2 -1\n' >fix
solve --fix fix labs.hubo
oa-anneal -q --target 200 labs27.hubo | grep -o '"target_reached":[a-z]*'
echo '== products hidden in penalties: x3 = x0 x1, x4 = x1 x2, x5 = x3 x2'
cat >products.qubo <<'END'
p qubo 0 6 6 9
0 0 -3
1 1 -3
2 2 -1
3 3 65
4 4 62
5 5 52
0 3 -40
1 3 -40
0 1 20
1 4 -40
2 4 -40
1 2 20
3 5 -40
2 5 -40
2 3 20
END
solve products.qubo
solve --no-presolve products.qubo
echo '== unsatisfied clauses of a formula, by branching; their number of optima'
awk 'BEGIN {
  print "p cnf 40 172"
  for (c = seed = 1; c <= 172; c++) {
    for (k = 0; k < 3; k++) {
      seed = (seed * 16807) % 2147483647
      v[k] = 1 + seed % 13 + 13 * k
      seed = (seed * 16807) % 2147483647
      if (seed % 2) v[k] = -v[k]
    }
    print v[0], v[1], v[2], 0
  }
}' >clauses.cnf
solve clauses.cnf | sed 's/"x".*//; s/.*"energy"/"energy"/; s/,"[a-z_]*":"[a-z]*"//g'
solve --count-optima --solver exact clauses.cnf | grep -o '"optima_count":[0-9]*'
echo '== states at a temperature, and those of reads'
printf 'p hubo spin 3\n0 1 2 -1\n0 -0.5\n1 -0.25\n' >three.hubo
oa-anneal -q --sample 3 --temperature 0.01 three.hubo
oa-anneal -q --solver sa --reads 2 --samples reads.jsonl three.hubo >/dev/null
cat reads.jsonl
