#include "oa/solve/portfolio.h"

#include "oa/solve/cut/cut_search.h"
#include "oa/solve/exact/blocks.h"
#include "oa/solve/exact/prove.h"
#include "oa/solve/exact/spin_bound.h"
#include "oa/solve/exact/spin_search.h"
#include "oa/solve/exact/tree.h"
#include "oa/solve/exact/whole.h"
#include "oa/solve/heuristic/rounds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kFew = 12;          // variables of problems that need no annealing first
constexpr int kMostProved = 300;  // variables of problems that proofs are tried on
constexpr std::int64_t kNodes = 1'000'000;  // of a search without a time limit
constexpr double kProofShare = 0.8;         // of the time, for proofs of small problems
constexpr double kHurriedShare = 0.3;       // where a target is enough
constexpr double kBlocksShare = 0.3;        // for blocks of large problems
constexpr double kCutBoundShare = 0.2;      // for a first bound by cuts, at most
constexpr double kMostCutSeconds = 20.0;    // or this where there is no limit
constexpr double kBoundShare = 0.15;        // of the time, for the bound of others
constexpr double kMostBoundSeconds = 60.0;  // for it where there is no limit

/// Whoever has a target wants to be there soon.
bool hurried(const PartTask& task) {
  return std::isfinite(task.target.value);
}

/// Whether the bound of a problem that is too large for proofs is worth its time.
bool wants_bound(const PartTask& task, const Stop& stop) {
  return task.f.size() > kMostProved && !hurried(task) &&
         spin_bound_seconds(task.f) <=
             std::min(kMostBoundSeconds, kBoundShare * stop.left_s());
}

/// Whether cuts may prove a problem that is too large for other proofs.
bool wants_cuts(const PartTask& task, const Stop& stop) {
  return task.f.size() > kMostProved && !hurried(task) && task.settings.top == 1 &&
         suits_cuts(task.f) &&
         cut_seconds(task.f) <=
             std::min(kMostCutSeconds, kCutBoundShare * stop.left_s());
}

/// Without a time limit only what takes some seconds.
Effort effort_for(PartTask& task, const Stop& stop) {
  constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();
  if (stop.limited()) {
    return {task.settings.max_nodes, kEndless};
  }
  task.settings.max_nodes = std::min(task.settings.max_nodes, kNodes);
  return {few_nodes(task.f.size()), kSomeCutWork};
}

/// Of a small problem in any way, of a large one by cuts.
Result try_proof(const PartTask& task, const Rounds& rounds, const Stop& stop) {
  const int n = task.f.size();
  PartTask part = begun_at(rounds.best(), task);
  const Effort effort = effort_for(part, stop);
  const Stop end = stop.share(hurried(task) ? kHurriedShare : kProofShare);
  Result proof = n > kMostProved ? search_cuts(part, step_of(task.f), effort.work, end)
                                 : prove_hard(part, effort, end);
  const bool better = proof.best.front().value() < rounds.best().value();
  proof.method = better || n <= kFew ? "exact" : rounds.method();
  return proof;
}

/// Of a block of a large problem.
Result prove_block(const PartTask& task, const Stop& stop) {
  if (task.f.size() > kMostProved && !suits_cuts(task.f)) {
    Result none;
    none.best = {task.known};
    return none;
  }
  PartTask part = begun_at(task.known, task);
  const Effort effort = effort_for(part, stop);
  return prove_any(part, effort, stop);
}

Result search(const PartTask& task, bool split, const Rng& rng, const Stop& stop) {
  Rounds rounds(task, {.merging = true}, rng, stop);
  const int n = task.f.size();
  const bool bounded = wants_bound(task, stop);
  const bool proved = n <= kMostProved || wants_cuts(task, stop);
  if ((n > kFew && proved) || bounded) {
    rounds.anneal_shortly();
  }
  if (n > kFew && task.settings.top == 1 && !rounds.done()) {
    if (auto found = solve_tree(task, stop)) {
      return *std::move(found);
    }
  }
  if (split && n > kMostProved && task.settings.top == 1 && !hurried(task) &&
      !rounds.done()) {
    const auto rest = [&](const PartTask& part, const Stop& end) {
      return search(part, false, rng.fork(0), end);
    };
    if (auto found = solve_by_blocks(
            begun_at(rounds.best(), task), prove_block, rest, kBlocksShare, stop)) {
      return *std::move(found);
    }
  }
  Result proof;
  if (proved && !rounds.done()) {
    proof = try_proof(task, rounds, stop);
    if (proof.status == qubo::Status::ProvedOptimal) {
      return proof;
    }
    for (const Solution& s : proof.best) {
      rounds.offer(s.x, "exact");
    }
  }
  if (bounded && !rounds.done()) {
    proof.bound =
        std::max(proof.bound, spin_bound(task.f, stop.share(2.0 * kBoundShare)));
    if (task.bounded) {
      task.bounded(proof.bound);
    }
  }
  rounds.anneal();
  Result result = rounds.result();
  result.bound = proof.bound;
  return result;
}

}  // namespace

Result solve_portfolio(const PartTask& task, const Rng& rng, const Stop& stop) {
  return search(task, true, rng, stop);
}

}  // namespace oa::solve
