#pragma once

#include "app/pose/array_problems.h"
#include "app/score/truth.h"
#include "app/solve/stream.h"
#include "oa/base/progress.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace oa::app {

/// Solutions of least squares problems, which hold for the given doubles; rows for the
/// queries of one problem after the other.
struct LeastSquaresSolutions {
  std::vector<std::uint8_t> levels;  ///< a row of coefficients for each query
  std::vector<double> bound;         ///< of |q - x'V|^2 - |q|^2 + lambda |x|_1
  std::vector<std::uint8_t> proved;
  std::vector<std::uint8_t> stopped;  ///< a limit ended the search
  std::vector<double> seconds;
  std::string score;  ///< the report of oa-score as JSON; empty without truth
};

/// Solves problems in single precision, as a stream of them.  Rounding may change a
/// proved optimum if the second best solution is close: then a search with the exact
/// numbers proves it again.  `truth` may be null.
[[nodiscard]] LeastSquaresSolutions solve_least_squares(const ArrayProblems& problems,
                                                        const SolveTask& task,
                                                        const Truth* truth,
                                                        Progress& progress,
                                                        const std::stop_source& stop);

}  // namespace oa::app
