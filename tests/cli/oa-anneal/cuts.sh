# A torus in three dimensions, too wide for a tree decomposition, is proved by cutting planes;
# the weights are about normal.  Needs Clp.
oa-anneal --version | grep -q ' +clp' || exit 77
awk 'function draw() { seed = seed * 16807 % 2147483647; return seed / 2147483648 }
  function edge(i, k,   t, sum) {
    for (t = 0; t < 12; ++t) sum += draw()
    print i, k, int(1000 * (sum - 6))
  }
  BEGIN {
    n = 5; seed = 7
    print n^3, 3 * n^3
    for (x = 0; x < n; ++x) for (y = 0; y < n; ++y) for (z = 0; z < n; ++z) {
      i = (x * n + y) * n + z + 1
      edge(i, ((x + 1) % n * n + y) * n + z + 1)
      edge(i, (x * n + (y + 1) % n) * n + z + 1)
      edge(i, (x * n + y) * n + (z + 1) % n + 1)
    }
  }' >torus.rud
for solver in auto exact; do
  oa-anneal -q --solver $solver --trace trace torus.rud >result
  sed 's/.*"energy":\([0-9]*\),"bound":\([0-9]*\),.*"proved_optimal":\([a-z]*\),.*/\1 \2 \3/' result
  oa-anneal --verify result torus.rud >/dev/null || echo wrong
  grep -c '"bound":' trace | awk '{ print ($1 > 0 ? "with" : "no"), "bounds" }'
done
# In time, with a bound, and not better than it.
oa-anneal -q --time-limit 0.05 torus.rud |
  sed 's/.*"energy":\([0-9]*\),"bound":\([0-9.]*\),.*/\1 \2/' | awk '{ print ($1 <= $2 ? "in order" : "wrong") }'
# Weights of -1 and 1, of which most steps of a program gain nothing: proved without a limit, and
# with a limit shorter than 5 times the estimated time of a first bound.
awk 'function sign() { seed = seed * 16807 % 2147483647; return seed < 1073741824 ? -1 : 1 }
  BEGIN {
    n = 16; m = 50; seed = 1
    for (i = 0; i < 100; ++i) sign()
    print n * m, 2 * n * m
    for (i = 0; i < n; ++i) for (k = 0; k < m; ++k) {
      print i * m + k + 1, i * m + (k + 1) % m + 1, sign()
      print i * m + k + 1, (i + 1) % n * m + k + 1, sign()
    }
  }' >signs.rud
for limit in '' '--time-limit 60'; do
  oa-anneal -q $limit signs.rud | sed 's/.*"energy":\([0-9]*\),"bound":\([0-9]*\),.*"proved_optimal":\([a-z]*\),.*/\1 \2 \3/'
done
