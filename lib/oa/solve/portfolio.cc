#include "oa/solve/portfolio.h"

#include "oa/solve/exact/prove.h"
#include "oa/solve/exact/spin_bound.h"
#include "oa/solve/exact/spin_search.h"
#include "oa/solve/exact/tree.h"
#include "oa/solve/heuristic/rounds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kFew = 12;          // variables of problems that need no annealing first
constexpr int kMostProved = 300;  // variables of problems that proofs are tried on
constexpr std::int64_t kNodes = 1'000'000;  // of a search without a time limit
constexpr double kProofShare = 0.8;         // of the time, for proofs of small problems
constexpr double kBoundShare = 0.15;        // of the time, for the bound of others
constexpr double kMostBoundSeconds = 60.0;  // for it where there is no limit

}  // namespace

Result solve_portfolio(const PartTask& task, const Rng& rng, const Stop& stop) {
  Rounds rounds(task, {.merging = true}, rng, stop);
  const int n = task.f.size();
  if (n > kFew) {
    rounds.anneal_shortly();
  }
  if (auto found = n > kFew && task.settings.top == 1 && !rounds.done()
                       ? solve_tree(task, stop)
                       : std::nullopt) {
    return *std::move(found);
  }
  Result proof;
  if (n <= kMostProved && !rounds.done()) {
    Settings settings = task.settings;
    settings.max_nodes =
        stop.limited() ? settings.max_nodes : std::min(settings.max_nodes, kNodes);
    const std::int64_t nodes = stop.limited() ? settings.max_nodes : few_nodes(n);
    proof = prove_hard({.f = task.f,
                        .settings = settings,
                        .known = rounds.best(),
                        .improved = task.improved},
                       nodes,
                       stop.share(kProofShare));
    const bool better = proof.best.front().value() < rounds.best().value();
    proof.method = better || n <= kFew ? "exact" : rounds.method();
    if (proof.status == qubo::Status::ProvedOptimal) {
      if (task.improved) {
        task.improved(proof.best.front().x);
      }
      return proof;
    }
    for (const Solution& s : proof.best) {
      rounds.offer(s.x, "exact");
    }
  }
  // Whoever has a target wants to be there soon.
  const bool hurried = std::isfinite(task.target.value);
  if (n > kMostProved && !hurried && !rounds.done() &&
      spin_bound_seconds(task.f) <=
          std::min(kMostBoundSeconds, kBoundShare * stop.left_s())) {
    proof.bound = spin_bound(task.f, stop.share(2.0 * kBoundShare));
  }
  rounds.anneal();
  Result result = rounds.result();
  result.bound = proof.bound;
  return result;
}

}  // namespace oa::solve
