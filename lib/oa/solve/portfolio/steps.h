#pragma once

#include "oa/qubo/recovered.h"
#include "oa/solve/heuristic/rounds.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/portfolio/race.h"
#include "oa/solve/recover/conflicts.h"
#include "oa/solve/recover/squares.h"
#include "oa/solve/structure/structure.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace oa::solve {

inline constexpr int kFew = 12;  // variables; smaller problems need no annealing first
/// Variables of the largest problem that all proofs are tried on.
inline constexpr int kMaxProved = 300;

/// The search for a single problem by one method after the other, and what they know.
struct Portfolio {
  /// `task` and `stop` must outlive this.
  Portfolio(const PartTask& task, bool split, const Rng& rng, const Stop& stop);

  /// With a target energy, proofs end early: reaching the target is enough.
  [[nodiscard]] bool hurried() const;
  /// True if heuristics search until the time limit.
  [[nodiscard]] bool races() const;
  [[nodiscard]] int size() const { return task.f.size(); }

  /// The task, to begin at the best solution so far.
  [[nodiscard]] PartTask begun() const { return begun_at(rounds.best(), task); }

  /// Adds the solutions of a method.
  void offer(const Result& found, std::string_view method);
  /// Adds a bound.
  void raise(double lower);
  /// Adds the result of a method that proves; returns it if it is a proof.
  [[nodiscard]] std::optional<Result> take(Result found);

  /// The heuristics go on.
  void race(const Stop& end);

  const PartTask& task;
  const Stop& stop;
  Rng rng;
  bool split;  ///< may solve blocks one by one
  Rounds rounds;
  double bound = -std::numeric_limits<double>::infinity();
  std::optional<Conflicts> conflicts = {};
  Structure structure = {};
  Squares squares = {};
  bool proves = false;  ///< some proof is worth trying
  bool bounds = false;  ///< a bound is worth its time
  qubo::Recovered recovered = {};

 private:
  std::optional<Race> race_;
};

/// A method of a search.  A result ends the search.
struct Step {
  std::string_view name;
  std::optional<Result> (*run)(Portfolio& search);
};

/// What the couplings were made from: conflicts, equations, squares, numbers, and least
/// squares over these.
[[nodiscard]] std::optional<Result> search_conflicts_first(Portfolio& search);
[[nodiscard]] std::optional<Result> recover_numbers(Portfolio& search);
[[nodiscard]] std::optional<Result> search_equations(Portfolio& search);
[[nodiscard]] std::optional<Result> search_squares_first(Portfolio& search);
[[nodiscard]] std::optional<Result> search_least_squares(Portfolio& search);
[[nodiscard]] std::optional<Result> search_squares_longer(Portfolio& search);

/// Proofs and bounds.
[[nodiscard]] std::optional<Result> prove_by_tree(Portfolio& search);
[[nodiscard]] std::optional<Result> prove_by_rank_one(Portfolio& search);
[[nodiscard]] std::optional<Result> prove_by_blocks(Portfolio& search);
[[nodiscard]] std::optional<Result> prove_shortly(Portfolio& search);
[[nodiscard]] std::optional<Result> prove_longer(Portfolio& search);
[[nodiscard]] std::optional<Result> find_bound(Portfolio& search);

/// Heuristics before and after proofs.
[[nodiscard]] std::optional<Result> anneal_shortly(Portfolio& search);
[[nodiscard]] std::optional<Result> move_numbers(Portfolio& search);
[[nodiscard]] std::optional<Result> search_on(Portfolio& search);

/// Runs the steps in their order until one ends the search.
[[nodiscard]] Result run_steps(std::span<const Step> steps, Portfolio& search);

/// All steps in their order.
[[nodiscard]] std::span<const Step> all_steps();

/// The sweeps of tabu search for a fixed amount of work; 0: the problem is too large.
inline constexpr int kTabuReads = 8;
[[nodiscard]] int tabu_sweeps(double n);

}  // namespace oa::solve
