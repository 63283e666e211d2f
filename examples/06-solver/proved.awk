# A line for each result: what was found, what is proved, and in what time.
function value(key) {
  return match($0, "\"" key "\":[^,]*") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : ""
}

BEGIN { printf "%-16s %9s %12s %12s %12s %s\n", "proofs", "variables", "energy", "bound", "time", "by" }

{
  name = FILENAME
  sub(".*/", "", name)
  sub("[.]json", "", name)
  printf "%-16s %9d %12d %12.0f %10.2f s %s\n", name, value("variables"), value("energy"), value("bound"),
    value("seconds"), (value("proved_optimal") == "true" ? "proved" : "open")
}
