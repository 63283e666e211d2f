#pragma once

#include "oa/base/histogram.h"
#include "oa/model/objective.h"
#include "oa/qubo/problem.h"
#include "oa/score/least_squares.h"
#include "oa/score/score.h"
#include "oa/score/sparsity.h"
#include "oa/score/tasks.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::score {

/// The counts of a task other than classification.
struct TaskScore {
  Objective objective = Objective::Positions;
  bool text = false;  ///< the task continues a text
  std::int64_t examples = 0;
  model::Tally tally;
  /// Sum of model::surprise(), for positions; 0 if not asked for.
  double surprise = 0.0;

  TaskScore& operator+=(const TaskScore& more);
  /// The result of one example.
  [[nodiscard]] TaskResult result(std::int64_t index) const;

  /// "positions", "sets", "cells", "bits_per_character"
  [[nodiscard]] std::string metric() const;
  [[nodiscard]] double value() const;  ///< NaN without questions
};

/// The counts of a run: predictions and problems.
struct Run {
  Accuracy accuracy;
  std::optional<Prediction> only;  ///< the prediction, if there is only one
  /// Indices of images predicted wrong, or of examples with a wrong answer, in input
  /// order.
  std::vector<std::int64_t> wrong;
  std::int64_t qubos = 0;
  std::int64_t proved_optimal = 0;
  std::int64_t stopped = 0;  ///< by a limit
  /// Coefficients encoded in spins, and the number that violate their encoding.
  std::int64_t encoded = 0;
  std::int64_t violated = 0;
  Sparsity sparsity;
  Histogram seconds;  ///< for each problem
  Histogram nodes;    ///< of the search tree of each problem, if known
  std::optional<TaskScore> task;
  std::optional<LeastSquares> least_squares;
  /// How the model found coefficients: as "optima" of problems, "rounded" from the
  /// relaxation, "continuous" or "lasso"; empty: none, or from a stream.
  std::string coefficients;
  bool complete = true;  ///< no image is missing

  void add_prediction(const Prediction& prediction);
  /// Adds an example of a task other than classification.
  void add_task(const TaskScore& example, std::int64_t index);
  void add_least_squares(const LeastSquares& example);
  void add_solution(const qubo::SolvedProblem& solution);
  [[nodiscard]] std::int64_t best_found() const {
    return qubos - proved_optimal - stopped;
  }
};

/// Predicts the most probable class; among equals the first.
[[nodiscard]] Prediction predict(std::int64_t index,
                                 std::optional<std::int64_t> label,
                                 std::vector<double> probabilities);

}  // namespace oa::score
