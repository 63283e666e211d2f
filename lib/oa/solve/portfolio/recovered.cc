#include "oa/solve/conflict/search.h"
#include "oa/solve/cut/search.h"
#include "oa/solve/exact/tree/tree.h"
#include "oa/solve/heuristic/structured.h"
#include "oa/solve/lattice/equations.h"
#include "oa/solve/lattice/rounded.h"
#include "oa/solve/lattice/sphere.h"
#include "oa/solve/portfolio/independent_set.h"
#include "oa/solve/portfolio/squares.h"
#include "oa/solve/portfolio/steps.h"

#include <algorithm>
#include <iterator>

namespace oa::solve {
namespace {

// Shares of the remaining time.
constexpr double kConflictsShare = 0.5;        // for sparse conflicts
constexpr double kQuickConflictsShare = 0.02;  // if there are further couplings
constexpr double kEquationsShare = 0.8;
constexpr double kSquaresFirst = 0.1;
constexpr double kSquaresShare = 0.9;
constexpr double kRoundingShare = 0.3;  // of least squares; less if time is long
constexpr double kSphereShare = 0.1;
constexpr std::int64_t kSphereNodes = 5'000'000;  // if time is unlimited: 1 s

/// Returns the conflicts of a problem; empty if another method is tried first.
std::optional<Conflicts> conflicts_of(const PartTask& task, const Stop& stop) {
  const int n = task.f.size();
  if (task.settings.top > 1 || n < kMinConflicting || !task.settings.recover) {
    return std::nullopt;
  }
  auto found = find_conflicts(task.f, stop);
  const bool bounded = n > kMaxProved && n <= kMaxConflicting;
  return found && (suits_independent_set(*found) || bounded) ? std::move(found)
                                                             : std::nullopt;
}

/// Searches with squares as constraints; empty without a proof.
/// If one variable of each square is 1, group moves (structure/) find more.
std::optional<Result> search_squares(Portfolio& search,
                                     const Rng& rng,
                                     const Stop& stop) {
  if (std::ranges::all_of(search.squares.squares, &Square::one_hot)) {
    return std::nullopt;
  }
  PartTask part = search.begun();
  part.recovered = &search.recovered;
  Result found = solve_squares(part, search.squares, rng, stop);
  if (found.status == qubo::Status::ProvedOptimal) {
    return found;
  }
  search.offer(found, "squares");
  search.raise(found.bound);
  return std::nullopt;
}

}  // namespace

/// If there are further couplings, finds only a quick bound.
std::optional<Result> search_conflicts_first(Portfolio& search) {
  const PartTask& task = search.task;
  search.conflicts = conflicts_of(task, search.stop);
  if (!search.conflicts) {
    return std::nullopt;
  }
  const Conflicts& conflicts = *search.conflicts;
  search.recovered.conflicts += conflicts.pairs();
  const bool whole = suits_independent_set(conflicts);
  const bool sparse = suits_cuts(task.f);
  if (whole) {
    if (auto proved = solve_tree(task, search.stop)) {
      return proved;
    }
  }
  Result found;
  if (whole) {
    const Stop end = sparse ? search.stop.share(kConflictsShare) : search.stop;
    found = solve_independent_set(task, conflicts, search.rng.fork(5), end);
  } else {
    PartTask part = begun_at(task.known, task);
    part.settings.max_nodes = few_conflict_nodes(task);
    found = search_conflicts(
        part, conflicts, search.stop.share(kQuickConflictsShare), true);
  }
  search.offer(found, found.method);
  const bool proved = found.status == qubo::Status::ProvedOptimal;
  if (proved || (whole && !sparse) || search.rounds.done()) {
    return found;
  }
  search.bound = found.bound;
  return std::nullopt;
}

std::optional<Result> recover_numbers(Portfolio& search) {
  if (search.size() > kSmallProblem) {
    search.structure = structure_of(search.task, search.stop);
    search.recovered.numbers += std::ssize(search.structure.numbers);
  }
  return std::nullopt;
}

/// Searches an x at which all squared equations are 0.
std::optional<Result> search_equations(Portfolio& search) {
  if (search.size() <= kSmallProblem || !search.task.settings.recover) {
    return std::nullopt;
  }
  const auto equations = find_equations(search.task.f, search.stop);
  if (!equations) {
    return std::nullopt;
  }
  Result found =
      solve_equations(search.begun(), *equations, search.stop.share(kEquationsShare));
  if (found.status == qubo::Status::ProvedOptimal) {
    return found;
  }
  search.offer(found, "lattice");
  search.raise(found.bound);
  return std::nullopt;
}

std::optional<Result> search_squares_first(Portfolio& search) {
  if (search.size() <= kSmallProblem || !search.task.settings.recover) {
    return std::nullopt;
  }
  search.squares = find_squares(search.task.f, search.stop);
  search.recovered.constraints += std::ssize(search.squares.squares);
  return search_squares(search, search.rng.fork(7), search.stop.share(kSquaresFirst));
}

std::optional<Result> search_squares_longer(Portfolio& search) {
  return search.races()
             ? search_squares(
                   search, search.rng.fork(6), search.stop.share(kSquaresShare))
             : std::nullopt;
}

/// Rounds least squares over numbers, then tries a proof by sphere decoding.
std::optional<Result> search_least_squares(Portfolio& search) {
  const PartTask& task = search.task;
  const Stop& stop = search.stop;
  const auto squares = find_least_squares(task.f, search.structure);
  if (!squares) {
    return std::nullopt;
  }
  const int width = stop.limited() ? kLongWidth : kStartWidth;
  search.rounds.offer(rounded(task.f, *squares, width, stop.share(kRoundingShare)).x,
                      "rounding");
  if (search.rounds.done()) {
    return std::nullopt;
  }
  PartTask part = search.begun();
  if (!stop.limited()) {
    part.settings.max_nodes = std::min(part.settings.max_nodes, kSphereNodes);
  }
  Result found = search_sphere(part, *squares, stop.share(kSphereShare));
  search.offer(found, "exact");
  if (found.status != qubo::Status::ProvedOptimal) {
    return std::nullopt;
  }
  found.method = search.rounds.method();
  return found;
}

}  // namespace oa::solve
