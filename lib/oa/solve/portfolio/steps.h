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

/// Up to this many variables, no annealing comes first.
inline constexpr int kSmallProblem = 12;
/// The maximum number of variables for trying all proofs.
inline constexpr int kMaxProved = 300;

/// The search of a single problem by a sequence of methods, and their common knowledge.
struct Portfolio {
  /// `task` and `stop` must outlive this.
  Portfolio(const PartTask& task, bool split, const Rng& rng, const Stop& stop);

  /// True with a target: proofs end early, since reaching the target suffices.
  [[nodiscard]] bool hurried() const;
  /// True if heuristics run until the time limit.
  [[nodiscard]] bool races() const;
  [[nodiscard]] int size() const { return task.f.size(); }

  /// The task, starting at the best solution so far.
  [[nodiscard]] PartTask begun() const { return begun_at(rounds.best(), task); }

  /// Adds a method's solutions.
  void offer(const Result& found, std::string_view method);
  /// Adds a bound.
  void raise(double lower);
  /// Adds the result of a proving method; returns this result if it is a proof.
  [[nodiscard]] std::optional<Result> take(Result found);

  /// Continues the heuristics until `end`.
  void race(const Stop& end);

  const PartTask& task;
  const Stop& stop;
  Rng rng;
  bool split;  ///< may solve block by block
  Rounds rounds;
  double bound = -std::numeric_limits<double>::infinity();
  std::optional<Conflicts> conflicts = {};
  Structure structure = {};
  Squares squares = {};
  bool proves = false;  ///< some proof is worth trying
  bool bounds = false;  ///< a bound pays off
  qubo::Recovered recovered = {};

 private:
  std::optional<Race> race_;
};

/// A method in the sequence.  If a step returns a result, the search ends.
struct Step {
  std::string_view name;
  std::optional<Result> (*run)(Portfolio& search);
};

/// Methods for recovered structure:
/// conflicts, equations, squares, and least squares over numbers.
[[nodiscard]] std::optional<Result> search_conflicts_first(Portfolio& search);
[[nodiscard]] std::optional<Result> recover_numbers(Portfolio& search);
[[nodiscard]] std::optional<Result> search_equations(Portfolio& search);
[[nodiscard]] std::optional<Result> search_squares_first(Portfolio& search);
[[nodiscard]] std::optional<Result> search_least_squares(Portfolio& search);
[[nodiscard]] std::optional<Result> search_squares_longer(Portfolio& search);

/// Methods for proofs and bounds.
[[nodiscard]] std::optional<Result> prove_by_tree(Portfolio& search);
[[nodiscard]] std::optional<Result> prove_by_rank_one(Portfolio& search);
[[nodiscard]] std::optional<Result> prove_as_assignment(Portfolio& search);
[[nodiscard]] std::optional<Result> prove_by_blocks(Portfolio& search);
[[nodiscard]] std::optional<Result> prove_shortly(Portfolio& search);
[[nodiscard]] std::optional<Result> prove_longer(Portfolio& search);
[[nodiscard]] std::optional<Result> find_bound(Portfolio& search);

/// Heuristics before and after the proofs.
[[nodiscard]] std::optional<Result> anneal_shortly(Portfolio& search);
[[nodiscard]] std::optional<Result> move_numbers(Portfolio& search);
[[nodiscard]] std::optional<Result> search_on(Portfolio& search);

/// Runs the steps in order until one ends the search.
[[nodiscard]] Result run_steps(std::span<const Step> steps, Portfolio& search);

/// Lists all steps in order.
[[nodiscard]] std::span<const Step> all_steps();

/// Tabu search for a fixed amount of work.  0 sweeps: the problem is too large.
inline constexpr int kTabuReads = 8;
[[nodiscard]] int tabu_sweeps(double n);

}  // namespace oa::solve
