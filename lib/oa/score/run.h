#pragma once

#include "oa/base/histogram.h"
#include "oa/qubo/problem.h"
#include "oa/score/score.h"
#include "oa/score/sparsity.h"

#include <cstdint>
#include <vector>

namespace oa::score {

/// The counts of a whole run: of predictions, and of the problems behind them.
struct Run {
  Accuracy accuracy;
  std::vector<std::int64_t> wrong;  ///< images predicted wrong: indices, in input order
  std::int64_t qubos = 0;
  std::int64_t proved_optimal = 0;
  std::int64_t stopped = 0;  ///< by a limit
  Sparsity sparsity;
  Histogram seconds;     ///< spent on each problem
  bool complete = true;  ///< no image of the run is missing

  void add_prediction(const Prediction& prediction);
  void add_solution(const qubo::ImageSolution& solution);
  [[nodiscard]] std::int64_t best_found() const {
    return qubos - proved_optimal - stopped;
  }
};

/// A prediction from probabilities: the most probable class, the first of equals.
[[nodiscard]] Prediction predict(std::int64_t index,
                                 std::optional<std::int64_t> label,
                                 std::vector<double> probabilities);

}  // namespace oa::score
