# A table.csv for people, with the costs of each number of tokens side by side.  Usage: text.sh TABLE
awk -F , '
  function digits(v) { return v == "" ? "-" : v >= 100 ? sprintf("%.0f", v) : sprintf("%.3g", v) }
  function unit(v, base, units,  u) {
    if (v == "") return "-"
    for (u = 0; v >= base * 0.9995 && u < length(units); ++u) v /= base
    return sprintf(u ? "%.1f%s" : "%d%s", v, u ? substr(units, u, 1) : "")
  }
  function put(text) {
    cell[NR, ++x] = text
    if (length(text) > width[x]) width[x] = length(text)
  }
  NR == 1 {
    for (i = 1; i <= NF; ++i) if ($i ~ /^ms_/) { at[++n] = i; tokens[n] = substr($i, 4) }
  }
  {
    x = 0
    put($1)
    put(NR == 1 ? "test %" : sprintf("%.2f", 100 * $4) ($5 == "" ? "" : sprintf(" +- %.2f", 100 * $5)))
    put(NR == 1 ? "params" : unit($2, 1000, "kMG"))
    for (t = 1; t <= n; ++t) {
      a = at[t]
      put(NR == 1 ? "ms " tokens[t] : digits($a))
      put(NR == 1 ? "/flash2" : digits($(a + 2)))
      put(NR == 1 ? "memory" : unit($(a + 3), 1024, "KMG"))
    }
  }
  END {
    for (r = 1; r <= NR; ++r) {
      text = sprintf("%-" width[1] "s", cell[r, 1])
      for (i = 2; i <= x; ++i) text = text sprintf("  %" width[i] "s", cell[r, i])
      print text
    }
  }' "$1"
