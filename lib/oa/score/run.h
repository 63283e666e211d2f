#pragma once

#include "oa/base/histogram.h"
#include "oa/qubo/problem.h"
#include "oa/score/score.h"
#include "oa/score/sparsity.h"

#include <cstdint>
#include <vector>

namespace oa::score {

/// What is known of a whole run: predictions, and the problems behind them.
struct Run {
  Accuracy accuracy;
  std::vector<std::int64_t> wrong;  ///< indices of labelled images missed, as they came
  std::int64_t qubos = 0;
  std::int64_t proved_optimal = 0;
  std::int64_t stopped = 0;  ///< by a limit
  Sparsity sparsity;
  Histogram seconds;     ///< spent on each problem
  bool complete = true;  ///< no image that belongs to it is missing

  void add(const Prediction& prediction);
  void add(const qubo::ImageSolution& solution);
  [[nodiscard]] std::int64_t best_found() const {
    return qubos - proved_optimal - stopped;
  }
};

/// A prediction from probabilities: the most probable class, the first of equals.
[[nodiscard]] Prediction predict(std::int64_t index,
                                 std::optional<std::int64_t> label,
                                 std::vector<double> probabilities);

}  // namespace oa::score
