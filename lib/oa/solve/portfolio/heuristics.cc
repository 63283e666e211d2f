#include "oa/solve/heuristic/heuristics.h"

#include "oa/solve/cut/search.h"
#include "oa/solve/exact/spin/bound.h"
#include "oa/solve/heuristic/structured.h"
#include "oa/solve/portfolio/steps.h"

#include <algorithm>

namespace oa::solve {
namespace {

// A method starts if it probably takes at most so many seconds,
// or at most a share of the remaining time.
constexpr double kMaxCutSeconds = 20.0;  // for a first bound by cuts
constexpr double kCutBoundShare = 0.2;
constexpr double kMaxBoundSeconds = 60.0;  // for other bounds
constexpr double kBoundShare = 0.15;

// For problems with structure:
// steps of heuristics before a proof, and their share of the remaining time.
constexpr int kFirstSteps = 64;
constexpr int kStepsEach = 4;  // steps for each variable
constexpr double kStartShare = 0.1;

constexpr double kTabuWork = 2e9;  // numbers read: about 0.5 s

/// True if a method that takes `seconds` is worth trying.
bool pays(double seconds, double most_seconds, double share, const Stop& stop) {
  return seconds <= most_seconds ||
         (stop.limited() && seconds <= share * stop.left_s());
}

/// True if a bound pays off although the problem is too large for proofs.
bool wants_bound(const Portfolio& search) {
  const qubo::Quadratic& f = search.task.f;
  return f.size() > kMaxProved && !search.hurried() &&
         pays(spin_bound_seconds(f), kMaxBoundSeconds, kBoundShare, search.stop);
}

/// True if cuts may prove a problem that is too large for other proofs.
bool wants_cuts(const Portfolio& search) {
  const qubo::Quadratic& f = search.task.f;
  return f.size() > kMaxProved && !search.hurried() && search.task.settings.top == 1 &&
         suits_cuts(f) &&
         pays(cut_seconds(f), kMaxCutSeconds, kCutBoundShare, search.stop);
}

/// Does `steps` steps with structured moves; 0: as many as one second allows.
void search_structure(Portfolio& search, int steps, const Rng& rng, const Stop& stop) {
  PartTask part = search.begun();
  part.settings.reads = 0;
  part.settings.sweeps = steps;
  search.offer(solve_structured(part, search.structure, rng, stop), "pt");
}

/// Does a fixed amount of work by tabu search.
void search_tabu(Portfolio& search) {
  PartTask part = search.begun();
  part.settings.reads = kTabuReads;
  part.settings.sweeps = tabu_sweeps(part.f.size());
  if (part.settings.sweeps > 0) {
    search.offer(solve_tabu(part, search.rng.fork(4), search.stop), "tabu");
  }
}

}  // namespace

/// Anneals shortly to find a start for proofs; decides which proofs follow.
std::optional<Result> anneal_shortly(Portfolio& search) {
  search.bounds = wants_bound(search);
  search.proves = search.size() <= kMaxProved || wants_cuts(search);
  if ((search.size() > kSmallProblem && search.proves) || search.bounds) {
    search.rounds.anneal_shortly();
  }
  return std::nullopt;
}

std::optional<Result> move_numbers(Portfolio& search) {
  if (!search.structure.empty() && search.proves) {
    search_structure(search,
                     kFirstSteps + kStepsEach * search.size(),
                     search.rng.fork(1),
                     search.stop.share(kStartShare));
  }
  return std::nullopt;
}

/// Searches until the time limit or, without one, does a fixed amount of work.
std::optional<Result> search_on(Portfolio& search) {
  if (search.races()) {
    search.race(search.stop);
    return std::nullopt;
  }
  const Settings& settings = search.task.settings;
  const bool any_work = settings.reads == 0 && settings.sweeps == 0;
  if (!search.structure.empty() && any_work) {
    search_structure(search, 0, search.rng.fork(3), search.stop);
  }
  if (search.size() > kSmallProblem && any_work && !search.rounds.done()) {
    search_tabu(search);
  }
  search.rounds.anneal();
  return std::nullopt;
}

int tabu_sweeps(double n) {
  return static_cast<int>(std::min(1.0 + n / 50.0, kTabuWork / (kTabuReads * n * n)));
}

}  // namespace oa::solve
