# The held-out accuracy of each trial, a line for each model of each task, and its best trial.
# Usage: tune.sh TRIALS FILE...  A file is called OUT/tune/TASK.MODEL.TRIAL.json.
trials=$1
shift
awk -v trials="$trials" '
  FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.json$/, "", name)
    split(name, part, ".")
    run = part[1] " " part[2]
    if (!(run in seen)) { seen[run]; order[++runs] = run }
    trial = substr(name, length(part[1] part[2]) + 3)
  }
  match($0, /"validation_accuracy":[-+.0-9e]+/) {
    share[run, trial] = 100 * substr($0, RSTART + 22, RLENGTH - 22)
  }
  END {
    n = split(trials, names, " ")
    printf "task        model       "
    for (k = 1; k <= n; ++k) printf " %12s", names[k]
    print "  best: rate-warmup-batch"
    for (i = 1; i <= runs; ++i) {
      split(order[i], part, " ")
      printf "%-11s %-12s", part[1], part[2]
      best = ""
      for (k = 1; k <= n; ++k) {
        if (!((order[i], names[k]) in share)) { printf " %12s", "-"; continue }
        value = share[order[i], names[k]]
        printf " %12.2f", value
        if (best == "" || value > share[order[i], best]) best = names[k]
      }
      print "  " best
    }
  }' "$@"
