# Lines come in pairs: a result without a time limit, and one with twice its time.  With
# twice=1 only that time of one result.
function value(key) {
  return match($0, "\"" key "\":[^,]*") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : ""
}

BEGIN {
  if (!twice)
    printf "%-16s %9s %14s %14s %12s  %s\n", "limits", "variables", "without limit", "limit of twice", "time", "by then"
}

twice { printf "%.3f", 2 * value("seconds"); next }

NR % 2 { free = value("proved_optimal") == "true"; seconds = value("seconds"); next }

{
  name = FILENAME
  sub(".*/", "", name)
  sub("[.]json", "", name)
  proved = value("proved_optimal") == "true"
  lost += free && !proved
  printf "%-16s %9d %12.2f s %12.2f s %10.2f s  %s\n", name, value("variables"), seconds, 2 * seconds,
    value("seconds"), (proved ? "proved" : free ? "LOST" : "open, as without")
}

END { if (!twice) print lost + 0, "lost" }
