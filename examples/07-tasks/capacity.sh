# The table of capacity.mk: test accuracy at the learning rate that is best on held-out
# examples.  Usage: capacity.sh OUT PAIRS WIDTHS KINDS RATES
awk -v out="$1" -v pairs="$2" -v widths="$3" -v kinds="$4" -v rates="$5" '
  # The number called `key` of a file; empty if there is none.
  function value(path, key,  line, found) {
    found = ""
    while ((getline line <path) > 0)
      if (match(line, "\"" key "\":[-+.0-9e]+"))
        found = substr(line, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
    close(path)
    return found
  }
  BEGIN {
    n = split(pairs, pair, " "); m = split(widths, width, " ")
    k = split(kinds, kind, " "); r = split(rates, rate, " ")
    printf "%-14s %5s", "test %", "width"
    for (i = 1; i <= n; ++i) printf " %8s", pair[i] " pairs"
    print ""
    for (j = 1; j <= k; ++j) for (l = 1; l <= m; ++l) {
      printf "%-14s %5d", kind[j], width[l]
      for (i = 1; i <= n; ++i) {
        best = -1
        for (a = 1; a <= r; ++a) {
          run = out "/" pair[i] "." width[l] "." kind[j] "@" rate[a] ".json"
          held = value(run, "validation_accuracy")
          if (held != "" && held > best) { best = held; test = value(run, "test_accuracy") }
        }
        if (best < 0) printf " %8s", "-"
        else printf " %8.2f", 100 * test
      }
      print ""
    }
  }'
