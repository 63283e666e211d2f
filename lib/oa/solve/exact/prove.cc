#include "oa/solve/exact/prove.h"

#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/conflict/search.h"
#include "oa/solve/exact/assignments.h"
#include "oa/solve/exact/box/search.h"
#include "oa/solve/exact/rank_one/rank_one.h"
#include "oa/solve/exact/spin/search.h"
#include "oa/solve/exact/tree/blocks.h"
#include "oa/solve/exact/tree/tree.h"
#include "oa/solve/lattice/rounded.h"
#include "oa/solve/lattice/sphere.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace oa::solve {
namespace {

constexpr std::int64_t kFirstNodes = 20'000;
// With few variables, searches more nodes first:
// this is cheaper than the many semidefinite bounds that low-rank least squares needs.
constexpr std::int64_t kFirstNodesOfFew = 500'000;
constexpr int kMax = 48;
// The shares of the time: for first nodes; for cuts, if spins may follow.
constexpr double kFirstShare = 0.6;
constexpr double kSparseShare = 0.75;
constexpr double kBlocksShare = 0.8;  // for all blocks but the largest
// The share if there are further couplings, or if cuts may follow.
constexpr double kConflictShare = 0.1;
constexpr double kAssignmentShare = 0.5;  // if there are further couplings
constexpr double kSphereShare = 0.6;
constexpr std::int64_t kSphereNodes = 50'000'000;  // takes about 10 s

/// Copies the task with another best solution and another node limit.
PartTask begun_at(const Solution& known, std::int64_t nodes, const PartTask& task) {
  PartTask part = solve::begun_at(known, task);
  part.settings.max_nodes = nodes;
  return part;
}

/// Combines two successive, unfinished proofs.
Result joined(const Result& first, Result second) {
  if (second.status != qubo::Status::ProvedOptimal) {
    second.bound = std::max(first.bound, second.bound);
  }
  second.nodes += first.nodes;
  return second;
}

/// Returns nothing if there is only one block, or if no block can be proved.
std::optional<Result> prove_by_blocks(const PartTask& task,
                                      Effort effort,
                                      const Stop& stop) {
  if (!effort.split) {
    return std::nullopt;
  }
  const auto block = [effort](const PartTask& part, const Stop& end) {
    return prove(part, effort, end);
  };
  effort.split = false;
  const auto rest = [effort](const PartTask& part, const Stop& end) {
    return prove(part, effort, end);
  };
  return solve_by_blocks(task, block, rest, kBlocksShare, stop);
}

Result prove_by_spins(const PartTask& task, const Effort& effort, const Stop& stop) {
  const int n = task.f.size();
  if (n <= kMaxSpins || n > kMaxSearched || task.settings.top > 1) {
    return search_boxes(task, stop);
  }
  const std::int64_t most = task.settings.max_nodes;
  const std::int64_t first = n <= kMax ? kFirstNodesOfFew : kFirstNodes;
  const Result quick = search_boxes(begun_at(task.known, std::min(most, first), task),
                                    stop.share(kFirstShare));
  const std::int64_t left = most - quick.nodes;
  if (quick.status == qubo::Status::ProvedOptimal || left <= 0 || stop()) {
    return quick;
  }
  if (task.bounded) {
    task.bounded(quick.bound);
  }
  const Solution& known = std::min(task.known, quick.best.front());
  if (auto found = prove_by_blocks(begun_at(known, left, task), effort, stop)) {
    return joined(quick, *std::move(found));
  }
  const PartTask further = begun_at(known, std::min(effort.nodes, left), task);
  return joined(quick, search_spins(further, stop));
}

/// A proof by sphere decoding, or its best solution.
/// Empty unless the problem is least squares over numbers.
std::optional<Result> prove_by_squares(const PartTask& task, const Stop& stop) {
  if (!task.settings.recover) {
    return std::nullopt;
  }
  const auto squares = find_least_squares(task.f, find_structure(task.f, stop));
  if (!squares) {
    return std::nullopt;
  }
  const std::int64_t most = std::min(task.settings.max_nodes, kSphereNodes);
  const Solution start =
      std::min(task.known, rounded(task.f, *squares, kStartWidth, stop));
  return search_sphere(begun_at(start, most, task), *squares, stop.share(kSphereShare));
}

/// A proof over independent sets, or its best solution.
/// Empty if too few couplings are conflicts.
std::optional<Result> prove_by_conflicts(const PartTask& task,
                                         bool assignments,
                                         const Stop& stop) {
  if (task.settings.top > 1 || task.f.size() < kMinConflicting ||
      task.f.size() > kMaxConflicting || !task.settings.recover) {
    return std::nullopt;
  }
  const auto conflicts = find_conflicts(task.f, stop);
  if (conflicts && task.recovered != nullptr) {
    task.recovered->conflicts += conflicts->pairs();
  }
  if (!conflicts) {
    return std::nullopt;
  }
  if (conflicts->further.empty() && !suits_cuts(task.f)) {
    return search_conflicts(task, *conflicts, stop);
  }
  const PartTask part = begun_at(task.known, few_conflict_nodes(task), task);
  Result quick = search_conflicts(part, *conflicts, stop.share(kConflictShare), true);
  if (quick.status == qubo::Status::ProvedOptimal || !assignments || stop()) {
    return quick;
  }
  const auto found =
      prove_assignments(solve::begun_at(std::min(task.known, quick.best.front()), task),
                        *conflicts,
                        stop.share(kAssignmentShare));
  return found ? joined(quick, *found) : quick;
}

/// Continues after an unfinished attempt with the remaining nodes.
Result go_on(const std::optional<Result>& found,
             const PartTask& task,
             const Effort& further,
             const Stop& stop) {
  if (!found) {
    return prove_without_tree(task, further, stop);
  }
  const std::int64_t left = task.settings.max_nodes - found->nodes;
  if (found->status == qubo::Status::ProvedOptimal || left <= 0 || stop()) {
    return *found;
  }
  const PartTask part = begun_at(found->best.front(), left, task);
  return joined(*found, prove_without_tree(part, further, stop));
}

}  // namespace

Result prove_without_tree(const PartTask& task,
                          const Effort& effort,
                          const Stop& stop) {
  if (auto found = task.settings.top == 1 ? solve_rank_one(task, stop) : std::nullopt) {
    return *std::move(found);
  }
  Effort further = effort;
  if (effort.conflicts) {
    further.conflicts = false;
    return go_on(
        prove_by_conflicts(task, effort.assignments, stop), task, further, stop);
  }
  if (effort.squares) {
    further.squares = false;
    return go_on(prove_by_squares(task, stop), task, further, stop);
  }
  const bool sparse = suits_cuts(task.f);
  if (task.settings.top > 1 || (!sparse && task.f.size() <= kMaxOrdered)) {
    return prove_by_spins(task, effort, stop);
  }
  if (auto found = prove_by_blocks(task, effort, stop)) {
    return *std::move(found);
  }
  Effort whole = effort;
  whole.split = false;  // no block could be proved
  if (!sparse) {
    return prove_by_spins(task, whole, stop);
  }
  const bool spins = task.f.size() <= kMaxSearched;
  const CutEffort first{effort.cuts.work, spins || effort.cuts.gives_up};
  const Result cuts = search_cuts(
      task, step_of(task.f), first, spins ? stop.share(kSparseShare) : stop);
  const std::int64_t left = task.settings.max_nodes - cuts.nodes;
  if (cuts.status == qubo::Status::ProvedOptimal || !spins || left <= 0 || stop()) {
    return cuts;
  }
  const Solution& known = cuts.best.front();
  return joined(cuts, prove_by_spins(begun_at(known, left, task), whole, stop));
}

Result prove(const PartTask& task, const Effort& effort, const Stop& stop) {
  if (auto found = task.settings.top == 1 ? solve_tree(task, stop) : std::nullopt) {
    return *std::move(found);
  }
  return prove_without_tree(task, effort, stop);
}

Result solve_exactly(const PartTask& task, const Rng& /*rng*/, const Stop& stop) {
  // Freeing the matrices takes time, too.
  const double entries = static_cast<double>(task.f.size()) * task.f.size();
  const bool small = task.f.size() <= kMaxOrdered;
  constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();
  return prove(task,
               {task.settings.max_nodes, {small ? kSomeCutWork : kEndless}},
               stop.earlier(std::min(0.5 * stop.left_s(), 2e-9 * entries)));
}

}  // namespace oa::solve
