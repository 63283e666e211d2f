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
  /// Sum of model::surprise() for positions, if wanted; else 0.
  double surprise = 0.0;

  TaskScore& operator+=(const TaskScore& more);
  /// The result of one example.
  [[nodiscard]] TaskResult result(std::int64_t index) const;

  /// "positions", "sets", "cells", "bits_per_character"
  [[nodiscard]] std::string metric() const;
  [[nodiscard]] double value() const;  ///< NaN without questions
};

/// Counts over all predictions and problems of a run.
struct Run {
  Accuracy accuracy;
  std::optional<Prediction> only;  ///< the prediction of the only example
  /// Indices of examples with a wrong prediction or answer, in input order.
  std::vector<std::int64_t> wrong;
  std::int64_t qubos = 0;
  std::int64_t proved_optimal = 0;
  std::int64_t stopped = 0;  ///< problems stopped by a limit
  /// Counts coefficients encoded in spins, and those that violate the encoding.
  std::int64_t encoded = 0;
  std::int64_t violated = 0;
  Sparsity sparsity;
  Histogram seconds;  ///< for each problem
  Histogram nodes;    ///< search tree nodes of each problem, if known
  std::optional<TaskScore> task;
  std::optional<LeastSquares> least_squares;
  /// How the model found coefficients: "optima", "rounded" (from the relaxation),
  /// "continuous" or "lasso"; empty for streams and models without coefficients.
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

/// Predicts the most probable class; the first if several classes are equally probable.
[[nodiscard]] Prediction predict(std::int64_t index,
                                 std::optional<std::int64_t> label,
                                 std::vector<double> probabilities);

}  // namespace oa::score
