#pragma once

#include "oa/qubo/alphabet.h"
#include "oa/qubo/problem.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::score {

/// Statistics of solutions of least squares problems.
struct LeastSquares {
  std::int64_t problems = 0;  ///< number of queries
  double residuals = 0.0;     ///< sum of |q - x'V|^2
  std::int64_t coefficients = 0;
  std::int64_t support = 0;  ///< coefficients that are not 0

  /// Comparison with the true coefficients.
  struct Errors {
    std::int64_t problems = 0;  ///< problems with a wrong symbol
    std::int64_t symbols = 0;
    std::int64_t wrong_symbols = 0;
    std::int64_t bits = 0;
    std::int64_t wrong_bits = 0;
    double residuals = 0.0;   ///< sum for the true coefficients
    std::int64_t as_low = 0;  ///< problems with a residual <= the true one
  };
  std::optional<Errors> errors;

  LeastSquares& operator+=(const LeastSquares& more);
};

/// Returns the levels of all coefficients, (n,m).
[[nodiscard]] std::vector<int> levels_of(const qubo::SolvedProblem& solution,
                                         const qubo::Alphabet& alphabet);

/// Counts the solutions of a frame.
/// `truth` has the true levels of all coefficients, or is empty.
[[nodiscard]] LeastSquares count_least_squares(const qubo::SolvedProblem& solution,
                                               const qubo::Alphabet& alphabet,
                                               std::span<const std::uint8_t> truth);

}  // namespace oa::score
