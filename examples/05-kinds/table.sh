# The table of a run as CSV: a line for each name.  Usage: table.sh OUT TOKENS SEEDS NAME...
# TOKENS are those of OUT/bench.json, with commas between; its rows have the order of the names.
out=$1 tokens=$2 seeds=$3
shift 3
sed 's/{"kind":/\n&/g' "$out/bench.json" | grep '^{"kind":' | awk -v out="$out" -v tokens="$tokens" \
  -v seeds="$seeds" -v names="$*" '
  # The first value called `key` in the text; empty if there is none.
  function value(text, key) {
    if (!match(text, "\"" key "\":(\"[^\"]*\"|[^,}]*)")) return ""
    text = substr(text, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
    gsub(/"/, "", text)
    return text
  }
  function file(path,  line) {
    getline line <path
    close(path)
    return line
  }
  { row[NR] = $0 }
  END {
    n = split(tokens, length_of, ",")
    s = split(seeds, seed, " ")
    k = split(names, name, " ")
    if (NR != n * k) { print "table.sh: bench.json has " NR " rows, not " n * k >"/dev/stderr"; exit 1 }
    printf "name,parameters,seeds,accuracy,accuracy_sd"
    for (t = 1; t <= n; ++t) {
      l = length_of[t]
      printf ",flops_%s,ms_%s,backward_ms_%s,vs_flash2_%s,memory_%s,saved_%s", l, l, l, l, l, l
    }
    print ",layer_parameters,attention"
    for (i = 1; i <= k; ++i) {
      sum = squares = 0
      for (j = 1; j <= s; ++j) {
        run = out "/" name[i] "." seed[j]
        share = value(file(run ".score.json"), "accuracy")
        sum += share
        squares += share * share
      }
      mean = sum / s
      sd = s > 1 ? sqrt((squares - s * mean * mean > 0 ? squares - s * mean * mean : 0) / (s - 1)) : ""
      printf "%s,%s,%d,%.6f,%s", name[i], value(file(run ".train.json"), "parameters"), s, mean,
        (sd == "" ? "" : sprintf("%.6f", sd))
      for (t = 1; t <= n; ++t) {
        text = row[(t - 1) * k + i]
        measured = value(text, "unsupported") == ""
        printf ",%s,%s,%s,%s,%s,%s", value(text, "flops"), measured ? value(text, "median") : "",
          value(text, "backward_ms"), value(text, "vs_flash2"), value(text, "arena_bytes"),
          value(text, "saved_bytes")
      }
      printf ",%s,\"%s\"\n", value(row[i], "parameters"), value(row[i], "config")
    }
  }'
