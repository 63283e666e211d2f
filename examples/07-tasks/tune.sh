# The held-out accuracy of each trial, a line for each model of each task, and its best trial.
# Of trials with a score beside (.score), the share of right answers there, too.
# Usage: tune.sh TRIALS FILE...  A file is called OUT/tune/TASK.MODEL.TRIAL.json.
trials=$1
shift
awk -v trials="$trials" '
  FNR == 1 {
    name = folder = FILENAME
    sub(/\/[^\/]*$/, "", folder)
    sub(/.*\//, "", name)
    sub(/\.json$/, "", name)
    split(name, part, ".")
    run = part[1] " " part[2]
    if (!(run in seen)) { seen[run]; order[++runs] = run }
    trial = substr(name, length(part[1] part[2]) + 3)
  }
  function more(run, trial,  path, line, share) {
    path = folder "/" run "." trial ".score"
    share = -1
    while ((getline line <path) > 0)
      if (match(line, /"accuracy":[-+.0-9e]+/)) share = 100 * substr(line, RSTART + 11, RLENGTH - 11)
    close(path)
    return share
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
      most = -1
      for (k = 1; k <= n; ++k) {
        if (!((order[i], names[k]) in share)) { printf " %12s", "-"; continue }
        value = share[order[i], names[k]]
        printf " %12.2f", value
        if (best == "" || value > share[order[i], best]) best = names[k]
        asked = more(part[1] "." part[2], names[k])
        if (asked > most) most = asked
      }
      print "  " best (most < 0 ? "" : sprintf("; 48 vectors: %.2f, best of all trials %.2f",
        more(part[1] "." part[2], best), most))
    }
  }' "$@"
