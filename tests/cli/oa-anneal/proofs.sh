# Optima are proved by a tree decomposition or semidefinite bounds, as suits the graph, with
# any number of threads; bounds are traced, each better than the one before.
awk 'BEGIN {
  n = 15; print n * n, 2 * n * (n - 1)
  for (i = 0; i < n; ++i) for (k = 0; k < n; ++k) {
    if (k + 1 < n) print i * n + k + 1, i * n + k + 2, (i * 7 + k * 5) % 9 - 4 + (i + k) / 64
    if (i + 1 < n) print i * n + k + 1, (i + 1) * n + k + 1, (i * 11 + k * 3) % 8 - 3.5
  }
}' >grid.rud
oa-anneal -q -j 1 --no-times grid.rud >one
oa-anneal -q -j 3 --no-times grid.rud >three
cmp one three
oa-anneal -q --no-times --solver exact grid.rud >exact
for r in one exact; do
  grep -o '"energy.*"solver":"[a-z]*"' $r
done
awk 'BEGIN {
  n = 50; r = 7; print n, n * (n - 1) / 2
  for (i = 1; i <= n; ++i) for (k = i + 1; k <= n; ++k) {
    r = (r * 16807) % 2147483647; print i, k, (r % 1000 < 500 ? -1 : 1)
  }
}' >dense.rud
oa-anneal -q --no-times --solver exact --trace t dense.rud >r
grep -o '"energy.*"seconds":0,"solver":"exact"' r
grep -o '"bound":[0-9.]*' t | awk -F : 'NR > 1 && $2 >= last { print "no better" } { last = $2 }
  END { print (NR > 2 ? "bounds" : "none"), last }'
