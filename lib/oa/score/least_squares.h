#pragma once

#include "oa/qubo/alphabet.h"
#include "oa/qubo/problem.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::score {

/// Counts over solutions of least squares problems.
struct LeastSquares {
  std::int64_t problems = 0;  ///< queries
  double residuals = 0.0;     ///< sum of |q - x'V|^2
  std::int64_t coefficients = 0;
  std::int64_t support = 0;  ///< coefficients other than 0

  /// Compared with the truth.
  struct Errors {
    std::int64_t problems = 0;  ///< with at least one wrong symbol
    std::int64_t symbols = 0;
    std::int64_t wrong_symbols = 0;
    std::int64_t bits = 0;
    std::int64_t wrong_bits = 0;
    double residuals = 0.0;   ///< of the true coefficients
    std::int64_t as_low = 0;  ///< problems whose residual is at most that of the truth
  };
  std::optional<Errors> errors;

  LeastSquares& operator+=(const LeastSquares& more);
};

/// The levels of the coefficients of all queries, (n,m).
[[nodiscard]] std::vector<int> levels_of(const qubo::SolvedProblem& solution,
                                         const qubo::Alphabet& alphabet);

/// Counts the solutions of a frame.  `truth` has the true levels of the coefficients of
/// each query, or is empty.
[[nodiscard]] LeastSquares count_least_squares(const qubo::SolvedProblem& solution,
                                               const qubo::Alphabet& alphabet,
                                               std::span<const std::uint8_t> truth);

}  // namespace oa::score
