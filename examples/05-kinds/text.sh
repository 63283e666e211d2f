# A table.csv for people.  Usage: text.sh TABLE [md]
awk -F , -v md="${2:-}" '
  function digits(v) { return v == "" ? "-" : v >= 100 ? sprintf("%.0f", v) : sprintf("%.3g", v) }
  function unit(v, base, units,  u) {
    if (v == "") return "-"
    for (u = 0; v >= base * 0.9995 && u < length(units); ++u) v /= base
    return sprintf(u ? "%.1f%s" : "%d%s", v, u ? substr(units, u, 1) : "")
  }
  NR == 1 {
    for (i = 1; i <= NF; ++i) if ($i ~ /^ms_/) { ++n; at[n] = i; l[n] = substr($i, 4) }
    columns = split("name|test %|params", head, "|")
    for (t = 1; t <= n; ++t) {
      m = split("FLOPs|ms|back ms|/flash2|memory|saved", part, "|")
      for (i = 1; i <= m; ++i) { head[++columns] = part[i]; of[columns] = t }
    }
    next
  }
  {
    ++rows
    cell[rows, 1] = $1
    cell[rows, 2] = sprintf("%.2f", 100 * $4) ($5 == "" ? "" : sprintf(" +- %.2f", 100 * $5))
    cell[rows, 3] = unit($2, 1000, "kMG")
    x = 3
    for (t = 1; t <= n; ++t) {
      a = at[t]
      cell[rows, ++x] = unit($(a - 1), 1000, "kMGT")
      cell[rows, ++x] = digits($a)
      cell[rows, ++x] = digits($(a + 1))
      cell[rows, ++x] = digits($(a + 2))
      cell[rows, ++x] = unit($(a + 3), 1024, "KMG")
      cell[rows, ++x] = unit($(a + 4), 1024, "KMG")
    }
  }
  function line(from, to, first,  r, i, width) {
    # One table for each number of tokens, names and accuracies in the first only.
    for (i = from; i <= to; ++i) {
      width[i] = length(head[i])
      for (r = 1; r <= rows; ++r) if (length(cell[r, i]) > width[i]) width[i] = length(cell[r, i])
    }
    for (r = 1; r <= rows; ++r) if (length(cell[r, 1]) > width[1]) width[1] = length(cell[r, 1])
    for (r = 0; r <= rows; ++r) {
      text = sprintf(md == "" ? "%-" width[1] "s" : "| %s |", r ? cell[r, 1] : head[1])
      for (i = from; i <= to; ++i)
        text = text sprintf(md == "" ? "  %" width[i] "s" : " %s |", r ? cell[r, i] : head[i])
      print text
      if (md != "" && r == 0) {
        text = "| --- |"
        for (i = from; i <= to; ++i) text = text " --: |"
        print text
      }
    }
  }
  END {
    for (t = 1; t <= n; ++t) {
      if (t == 1) { head[2] = "test %"; from = 2 } else { print ""; from = 4 + 6 * (t - 1) }
      printf (md == "" ? "%s tokens\n" : "%s tokens:\n\n"), l[t]
      line(from, 3 + 6 * t)
    }
  }' "$1"
