# The table of a run: a line for each task and model.  Usage: table.sh OUT TASKS MODELS SEEDS
awk -v out="$1" -v tasks="$2" -v models="$3" -v seeds="$4" '
  # The last number called `key` of a file; empty if there is none.
  function value(path, key,  line, found) {
    found = ""
    while ((getline line <path) > 0)
      if (match(line, "\"" key "\":[-+.0-9e]+"))
        found = substr(line, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
    close(path)
    return found
  }
  BEGIN {
    n = split(tasks, task, " "); k = split(models, model, " "); s = split(seeds, seed, " ")
    print "task        model        parameters  steps  seconds  held out %    test %  over seeds"
    for (i = 1; i <= n; ++i) for (j = 1; j <= k; ++j) {
      count = held = test = seconds = low = high = presence = whole = bits = 0; more = ""
      for (l = 1; l <= s; ++l) {
        run = out "/" task[i] "." model[j] "." seed[l]
        share = value(run ".json", "test_accuracy")
        if (share == "") continue
        parameters = value(run ".json", "parameters")
        steps = value(run ".jsonl", "step")
        share = 100 * share
        low = count == 0 || share < low ? share : low
        high = count == 0 || share > high ? share : high
        ++count
        test += share
        held += 100 * value(run ".json", "validation_accuracy")
        seconds += value(run ".json", "seconds")
        presence += 100 * value(run ".score", "presence")
        whole += 100 * value(run ".score", "whole_pictures")
        bits += value(run ".score", "bits_per_character")
        if (task[i] == "crowded")
          more = more sprintf("%s%.2f", more == "" ? "; 48 vectors: " : ", ",
            100 * value(run ".score", "accuracy"))
      }
      if (count > 0)
        printf "%-11s %-12s %10d %6d %8.1f %11.2f %9.2f  %s%s%s%s\n", task[i], model[j], parameters,
          steps, seconds / count, held / count, test / count,
          (count > 1 ? sprintf("%.2f to %.2f", low, high) : "one"),
          (presence > 0 ? sprintf("; presence %.2f, whole %.2f", presence / count, whole / count) : ""),
          (bits > 0 ? sprintf("; %.3f bits a character", bits / count) : ""), more
    }
  }'
