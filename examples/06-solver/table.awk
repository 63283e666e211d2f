# awk -v out=DIR -v runs='INSTANCE.SOLVER.SEED ...' -f table.awk: three tables.
#
# Energies: the mean of seeds, and how far it is from the best that any run found.
# Profile: of all runs of a solver, how many are at most that far away at their end.
# Times: until a run is within 0.1 % of the best; the median, and between which times it lies with
# 94 % confidence if there are five seeds: the first and the last of them.
#
# For oa-heatmap: DIR/profile.csv, the share of runs within each per cent of the best, and
# DIR/time/INSTANCE/SOLVER.jsonl, runs as if each had stopped where it reached the 0.1 %, with that
# energy in DIR/time/INSTANCE/target.
function value(text, key) {
  return match(text, "\"" key "\":[^,}]*") ? substr(text, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : ""
}

function add(instance, solver, energy) {
  if (!((instance) in known)) instances[count++] = instance
  if (!((solver) in listed)) { solvers[kinds++] = solver; listed[solver] = 1 }
  if (!(instance in known) || better(instance, energy, known[instance])) known[instance] = energy
  sum[instance, solver] += energy
  energies[instance, solver, made[instance, solver]++] = energy
}

function better(instance, a, b) {
  return max[instance] ? a > b : a < b
}

function gap(instance, energy) {
  return 100 * (max[instance] ? known[instance] - energy : energy - known[instance]) / abs(known[instance])
}

function abs(x) {
  return x < 0 ? -x : x
}

# Sorts times[0 .. n-1].
function sorted(n, i, k, t) {
  for (i = 1; i < n; ++i) {
    t = times[i]
    for (k = i; k > 0 && times[k - 1] > t; --k) times[k] = times[k - 1]
    times[k] = t
  }
}

function seconds(t) {
  return t < never ? sprintf("%.2f s", t) : "-"
}

BEGIN {
  never = 1e9
  for (n = split(runs, run, " "); k++ < n;) {
    split(run[k], part, ".")
    file = out "/found/" run[k] ".json"
    if ((getline text < file) > 0) {
      max[part[1]] = text ~ /"sense":"max"/
      add(part[1], part[2], value(text, "energy") + 0)
    }
    close(file)
  }
  while ((getline text < (out "/peers.txt")) > 0) {
    split(text, part, " ")
    add(part[1], part[2], part[4] + 0)
  }
  printf "%-20s %12s", "mean energy (gap %)", "best"
  for (s = 0; s < kinds; ++s) printf " %20s", solvers[s]
  print ""
  for (i = 0; i < count; ++i) {
    name = instances[i]
    printf "%-20s %12d", name, known[name]
    for (s = 0; s < kinds; ++s) {
      all = made[name, solvers[s]]
      if (all == 0) { printf " %20s", "-"; continue }
      mean = sum[name, solvers[s]] / all
      printf " %11.1f (%6.4f)", mean, gap(name, mean)
    }
    print ""
  }
  print ""
  printf "%-20s", "within % of best"
  bounds = split("0 0.01 0.03 0.1 0.3 1", bound, " ")
  for (b = 1; b <= bounds; ++b) printf " %6s", bound[b]
  print ""
  for (s = 0; s < kinds; ++s) {
    printf "%-20s", solvers[s]
    for (b = 1; b <= bounds; ++b) {
      near = total = 0
      for (i = 0; i < count; ++i)
        for (r = 0; r < made[instances[i], solvers[s]]; ++r) {
          near += gap(instances[i], energies[instances[i], solvers[s], r]) <= bound[b]
          ++total
        }
      printf " %6.2f", total ? near / total : 0
    }
    print ""
  }
  profile = out "/profile.csv"
  print "solver,% of the best,runs within it" >profile
  for (s = 0; s < kinds; ++s)
    for (power = -24; power <= 8; ++power) {
      near = total = 0
      for (i = 0; i < count; ++i)
        for (r = 0; r < made[instances[i], solvers[s]]; ++r) {
          near += gap(instances[i], energies[instances[i], solvers[s], r]) <= 10 ^ (power / 8)
          ++total
        }
      if (total) printf "%s,%.4g,%.4f\n", solvers[s], 10 ^ (power / 8), near / total >profile
    }
  close(profile)
  print ""
  print "time to 0.1 %        median, first to last of the seeds"
  for (i = 0; i < count; ++i) {
    system("mkdir -p " out "/time/" instances[i])
    file = out "/time/" instances[i] "/target"
    printf "%.12g\n", known[instances[i]] - 0.001 * (max[instances[i]] ? 1 : -1) * abs(known[instances[i]]) >file
    close(file)
    for (s = 0; s < kinds; ++s) {
      m = 0
      list = out "/time/" instances[i] "/" solvers[s] ".jsonl"
      for (k = 1; k <= n; ++k) {
        split(run[k], part, ".")
        if (part[1] != instances[i] || part[2] != solvers[s]) continue
        times[m] = never
        reached = last = 0
        file = out "/found/" run[k] ".trace"
        while ((getline text < file) > 0)
          if (text ~ /"energy"/) {
            reached = value(text, "energy")
            last = value(text, "seconds")
            if (times[m] == never && gap(part[1], reached) <= 0.1) {
              times[m] = value(text, "seconds") + 0
              break
            }
          }
        close(file)
        printf "{\"file\":\"%s\",\"solver\":\"%s\",\"sense\":\"%s\",\"energy\":%s,\"seconds\":%s,\"seed\":%s}\n",
          part[1], part[2], (max[part[1]] ? "max" : "min"), reached, (times[m] < never ? times[m] : last),
          part[3] >list
        ++m
      }
      if (m == 0) continue
      close(list)
      sorted(m)
      printf "%-20s %-12s %s, %s to %s\n", instances[i], solvers[s], seconds(times[int((m - 1) / 2)]),
        seconds(times[0]), seconds(times[m - 1])
    }
  }
}
