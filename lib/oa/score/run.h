#pragma once

#include "oa/base/histogram.h"
#include "oa/model/objective.h"
#include "oa/qubo/problem.h"
#include "oa/score/score.h"
#include "oa/score/sparsity.h"
#include "oa/score/tasks.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::score {

/// What is counted where not one class is asked for.
struct TaskScore {
  Objective objective = Objective::Positions;
  bool text = false;  ///< positions are those of a text, which is continued
  std::int64_t examples = 0;
  model::Tally tally;
  /// Of positions, see model::surprise(); 0 where they are of no text and nobody asked.
  double surprise = 0.0;

  TaskScore& operator+=(const TaskScore& more);
  /// Of one example, whose index this is.
  [[nodiscard]] TaskResult result(std::int64_t index) const;

  /// "positions", "sets", "cells", "bits_per_character"
  [[nodiscard]] std::string metric() const;
  [[nodiscard]] double value() const;  ///< NaN where nothing was asked
};

/// The counts of a whole run: of predictions, and of the problems behind them.
struct Run {
  Accuracy accuracy;
  std::optional<Prediction> only;  ///< the prediction, if there is but one
  /// Images predicted wrong, or examples with a wrong answer: indices, in input order.
  std::vector<std::int64_t> wrong;
  std::int64_t qubos = 0;
  std::int64_t proved_optimal = 0;
  std::int64_t stopped = 0;  ///< by a limit
  /// Coefficients that are made of spins, and those of them whose encoding is violated.
  std::int64_t encoded = 0;
  std::int64_t violated = 0;
  Sparsity sparsity;
  Histogram seconds;  ///< spent on each problem
  Histogram nodes;    ///< of the search tree of each problem, where known
  std::optional<TaskScore> task;
  /// Where a model found coefficients itself: "optima" of its problems, "rounded" from
  /// the relaxation, or real ones, "continuous" or "lasso"; empty: it has none, or they
  /// are from a stream.
  std::string coefficients;
  bool complete = true;  ///< no image of the run is missing

  void add_prediction(const Prediction& prediction);
  /// An example where not one class is asked for.
  void add_task(const TaskScore& example, std::int64_t index);
  void add_solution(const qubo::SolvedProblem& solution);
  [[nodiscard]] std::int64_t best_found() const {
    return qubos - proved_optimal - stopped;
  }
};

/// A prediction from probabilities: the most probable class, the first of equals.
[[nodiscard]] Prediction predict(std::int64_t index,
                                 std::optional<std::int64_t> label,
                                 std::vector<double> probabilities);

}  // namespace oa::score
