#include "app/solve/join_results.h"

#include "app/solve/problem_results.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/score/score.h"
#include "oa/score/time_to_target.h"

#include <algorithm>
#include <map>

namespace oa::app {
namespace {

using Runs = std::vector<const FileResult*>;

void check_seeds(const Runs& runs) {
  std::map<std::int64_t, const FileResult*> seen;
  for (const FileResult* run : runs) {
    if (!run->seed) {
      continue;
    }
    const auto [place, is_new] = seen.emplace(*run->seed, run);
    if (!is_new) {
      throw InputError(run->where + ": seed " + format(*run->seed) + " of " +
                       run->file + " is in " + place->second->where +
                       " (expected each run once)");
    }
  }
}

/// Makes the line of one solver; `goal` is the target energy of the problem.
JsonObject line_of(const ProblemResults& problem, const Runs& runs, double goal) {
  const FileResult& best_of_all = problem.best();
  const bool maximised = problem.sense() == qubo::Sense::Max;
  double best = runs.front()->energy;
  std::int64_t hits = 0;
  double seconds = 0.0;
  std::vector<double> times;
  for (const FileResult* run : runs) {
    best = qubo::better(run->sense, run->energy, best) ? run->energy : best;
    hits += run->reaches(goal) ? 1 : 0;
    seconds += run->seconds;
    times.push_back(run->seconds);
  }
  const auto count = std::ssize(runs);
  const score::Share share{hits, count};
  const score::Interval time = score::time_to_target(times, hits);
  JsonObject line{{"file", JsonValue::of_path(problem.name())}};
  if (const std::string fingerprint = problem.fingerprint(); !fingerprint.empty()) {
    line.member("problem", fingerprint);
  }
  return line.members(
      {{"solver", runs.front()->solver},
       {"sense", maximised ? "max" : "min"},
       {"runs", count},
       {"best", JsonValue::shortest(best)},
       {"proved_optimal", best_of_all.proved && best == best_of_all.energy},
       {"target", JsonValue::shortest(goal)},
       {"hits", hits},
       {"hit_share", JsonValue::shortest(share.value())},
       {"hit_share_low", JsonValue::shortest(share.low())},
       {"hit_share_high", JsonValue::shortest(share.high())},
       {"seconds", JsonValue::shortest(seconds)},
       {"time_to_target", JsonValue::shortest(time.value)},
       {"time_to_target_low", JsonValue::shortest(time.low)},
       {"time_to_target_high", JsonValue::shortest(time.high)}});
}

}  // namespace

Exit join_results(const std::vector<std::string>& paths,
                  std::optional<double> target,
                  Context& context) {
  ResultsByProblem results;
  for (const std::string& path : paths) {
    io::Input input = io::Input::open(path, context.token());
    results.read(input);
  }
  std::vector<ProblemResults> problems = results.take();
  std::ranges::stable_sort(problems, {}, &ProblemResults::name);
  io::Output output(context.common().output);
  for (const ProblemResults& problem : problems) {
    std::map<std::string, Runs> by_solver;
    for (const FileResult& run : problem.results) {
      by_solver[run.solver].push_back(&run);
    }
    const double goal = target.value_or(problem.best().energy);
    for (const auto& [solver, runs] : by_solver) {
      check_seeds(runs);
      output.write(line_of(problem, runs, goal).text() + "\n");
    }
  }
  output.commit();
  return context.status(true);
}

}  // namespace oa::app
