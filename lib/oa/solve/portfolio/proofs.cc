#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/conflict/search.h"
#include "oa/solve/cut/search.h"
#include "oa/solve/exact/assignments.h"
#include "oa/solve/exact/prove.h"
#include "oa/solve/exact/rank_one/rank_one.h"
#include "oa/solve/exact/spin/bound.h"
#include "oa/solve/exact/spin/search.h"
#include "oa/solve/exact/tree/blocks.h"
#include "oa/solve/exact/tree/tree.h"
#include "oa/solve/portfolio/steps.h"
#include "oa/solve/program/product_bound.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace oa::solve {
namespace {

constexpr std::int64_t kNodes = 1'000'000;  // of a search, if time is unlimited
constexpr double kEffortSeconds =
    60.0;  // seconds; with more time, the effort grows in proportion

// The shares of the remaining time for methods once started.  Proofs get more than
// half: bounds rise unevenly, and a proof that takes half the limit must succeed.
constexpr double kProofShare = 0.9;
constexpr double kHurriedShare = 0.3;  // if there is a target
constexpr double kTrialShare = 0.1;    // for a first proof of a small problem
constexpr double kSearchShare = 0.15;  // for heuristics after the first proof
constexpr double kCutShare = 0.75;     // large problems: annealing finds more there
constexpr double kBlocksShare = 0.8;
constexpr double kAssignmentShare = 0.5;
constexpr double kSpinShare = 0.3;  // for spin_bound()
constexpr double kRootShare = 0.4;  // for search_root()
// With structure, proofs and bounds are either quick or hopeless.
constexpr double kQuickShare = 0.25;
constexpr double kQuickBoundShare = 0.1;

/// Returns work for a few seconds; more, in proportion, with a long time limit.
Effort effort_for(PartTask& task, const Stop& stop) {
  const double times =
      stop.limited() ? std::max(1.0, stop.left_s() / kEffortSeconds) : 1.0;
  if (!stop.limited()) {
    task.settings.max_nodes = std::min(task.settings.max_nodes, kNodes);
  }
  const auto scaled = [&](std::int64_t work) {
    return static_cast<std::int64_t>(times * static_cast<double>(work));
  };
  return {scaled(few_nodes(task.f.size())), {scaled(kSomeCutWork), stop.limited()}};
}

/// Tries to prove the optimum: for small problems by all methods, otherwise by cuts.
Result try_proof(const Portfolio& search, const Stop& stop) {
  PartTask part = search.begun();
  Effort effort = effort_for(part, stop);
  effort.squares = false;  // tried before
  effort.assignments = false;
  if (search.size() > kMaxProved) {
    if (stop.limited()) {
      effort.cuts.work = std::numeric_limits<std::int64_t>::max();
    }
    return search_cuts(part, step_of(part.f), effort.cuts, stop.share(kCutShare));
  }
  if (stop.limited()) {
    effort.nodes = part.settings.max_nodes;
  }
  return prove_without_tree(
      part, effort, stop.share(search.hurried() ? kHurriedShare : kProofShare));
}

/// Tries to prove the optimum of one block of a large problem.
Result prove_block(const PartTask& task, const Stop& stop) {
  if (task.f.size() > kMaxProved && !suits_cuts(task.f)) {
    Result none;
    none.best = {task.known};
    return none;
  }
  PartTask part = begun_at(task.known, task);
  const Effort effort = effort_for(part, stop);
  return prove(part, effort, stop);
}

/// Limits the time of a proof or bound, more so if structured heuristics follow.
Stop part_of(const Portfolio& search, double quick_share) {
  return search.races() && !search.structure.empty() ? search.stop.share(quick_share)
                                                     : search.stop;
}

bool wants_one(const Portfolio& search) {
  return search.size() > kSmallProblem && search.task.settings.top == 1;
}

}  // namespace

std::optional<Result> prove_by_tree(Portfolio& search) {
  return wants_one(search) ? solve_tree(search.task, search.stop) : std::nullopt;
}

std::optional<Result> prove_by_rank_one(Portfolio& search) {
  return wants_one(search) ? solve_rank_one(search.task, search.stop) : std::nullopt;
}

std::optional<Result> prove_as_assignment(Portfolio& search) {
  const PartTask& task = search.task;
  if (search.size() < kMinConflicting || search.size() > ProductBound::kMaxVariables ||
      search.hurried() || !task.settings.recover) {
    return std::nullopt;
  }
  const auto conflicts = find_conflicts(task.f, search.stop);
  if (!conflicts) {
    return std::nullopt;
  }
  auto found = prove_assignments(
      search.begun(), *conflicts, search.stop.share(kAssignmentShare));
  return found ? search.take(*std::move(found)) : std::nullopt;
}

std::optional<Result> prove_by_blocks(Portfolio& search) {
  if (!search.split || search.size() <= kMaxProved || search.task.settings.top > 1 ||
      search.hurried()) {
    return std::nullopt;
  }
  const auto rest = [&](const PartTask& part, const Stop& end) {
    Portfolio all(part, false, search.rng.fork(0), end);
    return run_steps(all_steps(), all);
  };
  return solve_by_blocks(search.begun(), prove_block, rest, kBlocksShare, search.stop);
}

/// Tries a short proof; a long proof comes after heuristics.
std::optional<Result> prove_shortly(Portfolio& search) {
  if (!search.races() || !search.structure.empty() || search.size() > kMaxProved ||
      search.hurried()) {
    return std::nullopt;
  }
  if (auto proof = search.take(try_proof(search, search.stop.share(kTrialShare)))) {
    return proof;
  }
  search.race(search.stop.share(kSearchShare));
  return std::nullopt;
}

std::optional<Result> prove_longer(Portfolio& search) {
  return search.proves ? search.take(try_proof(search, part_of(search, kQuickShare)))
                       : std::nullopt;
}

/// Computes the semidefinite bound;
/// for dense problems, with triangle inequalities if time suffices.
std::optional<Result> find_bound(Portfolio& search) {
  if (!search.bounds) {
    return std::nullopt;
  }
  const int n = search.size();
  const Stop stop = part_of(search, kQuickBoundShare);
  const PartTask part = search.begun();
  Result result;
  result.best = {part.known};
  search.raise(spin_bound(part.f, stop.share(kSpinShare)));
  const Stop end = stop.share(kRootShare);
  if (n <= kMaxBounded && !suits_cuts(part.f) && part.settings.top == 1 &&
      root_seconds(n) <= end.left_s()) {
    result = search_root(part, end);
  }
  return search.take(std::move(result));
}

}  // namespace oa::solve
