#include "app/join_results.h"

#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/score/score.h"
#include "oa/score/time_to_target.h"

#include <algorithm>
#include <map>
#include <utility>

namespace oa::app {
namespace {

using Runs = std::vector<io::TimedResult>;

/// Problem and solver.
using Key = std::pair<std::string, std::string>;

void add(Runs& runs, io::TimedResult run) {
  if (!runs.empty() && runs.front().sense != run.sense) {
    throw InputError(run.where + ": asks for the other sense than " +
                     runs.front().where + " (of " + run.file + ")");
  }
  runs.push_back(std::move(run));
}

void check_seeds(const Runs& runs) {
  std::map<std::int64_t, const io::TimedResult*> seen;
  for (const io::TimedResult& run : runs) {
    if (!run.seed) {
      continue;
    }
    const auto [place, is_new] = seen.emplace(*run.seed, &run);
    if (!is_new) {
      throw InputError(run.where + ": seed " + format(*run.seed) + " of " + run.file +
                       " is in " + place->second->where + " (expected each run once)");
    }
  }
}

bool as_good(double energy, double as, qubo::Sense sense) {
  return sense == qubo::Sense::Max ? energy >= as : energy <= as;
}

double best_of(const Runs& runs) {
  double best = runs.front().energy;
  for (const io::TimedResult& run : runs) {
    best = as_good(run.energy, best, run.sense) ? run.energy : best;
  }
  return best;
}

JsonObject line_of(const Key& key, const Runs& runs, std::optional<double> target) {
  const double best = best_of(runs);
  const double goal = target.value_or(best);
  std::int64_t hits = 0;
  bool proved = false;
  double seconds = 0.0;
  std::vector<double> times;
  for (const io::TimedResult& run : runs) {
    hits += as_good(run.energy, goal, run.sense) ? 1 : 0;
    proved = proved || (run.proved && run.energy == best);
    seconds += run.seconds;
    times.push_back(run.seconds);
  }
  const auto count = std::ssize(runs);
  const score::Share share{hits, count};
  const score::Interval time = score::time_to_target(times, hits);
  return {{"file", key.first},
          {"solver", key.second},
          {"sense", runs.front().sense == qubo::Sense::Max ? "max" : "min"},
          {"runs", count},
          {"best", JsonValue::shortest(best)},
          {"proved_optimal", proved},
          {"target", JsonValue::shortest(goal)},
          {"hits", hits},
          {"hit_share", JsonValue::shortest(share.value())},
          {"hit_share_low", JsonValue::shortest(share.low())},
          {"hit_share_high", JsonValue::shortest(share.high())},
          {"seconds", JsonValue::shortest(seconds)},
          {"time_to_target", JsonValue::shortest(time.value)},
          {"time_to_target_low", JsonValue::shortest(time.low)},
          {"time_to_target_high", JsonValue::shortest(time.high)}};
}

}  // namespace

Exit join_results(const std::vector<std::string>& paths,
                  std::optional<double> target,
                  const Common& common,
                  Context& context) {
  std::map<Key, Runs> all;
  for (const std::string& path : paths) {
    io::Input input = io::Input::open(path, context.token());
    for (io::TimedResult& run : io::read_timed_results(input)) {
      const Key key{run.file, run.solver};
      add(all[key], std::move(run));
    }
  }
  io::Output output(common.output);
  for (const auto& [key, runs] : all) {
    check_seeds(runs);
    output.write(line_of(key, runs, target).text() + "\n");
  }
  output.commit();
  return context.status(true);
}

}  // namespace oa::app
