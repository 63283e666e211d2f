#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/structure/structure.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::solve {

/// A value of a number and its digits; bit k is digit k.
struct Level {
  double value = 0.0;
  std::uint32_t digits = 0;
};

/// A problem over spins s = 2x - 1, written over numbers z_j = sum_k weight_jk s_k:
///   f(x) = constant + z'Gz + g'z, up to `error`,
/// with G positive semidefinite, as computed.
struct LeastSquares {
  std::vector<Number> numbers;             ///< every variable is a digit of one number
  std::vector<std::vector<Level>> levels;  ///< values of each number, sorted
  std::vector<double> gram;                ///< G, (size,size)
  std::vector<double> linear;
  double constant = 0.0;
  double error = 0.0;  ///< maximum of |f - model|, rounding included

  [[nodiscard]] int size() const { return static_cast<int>(numbers.size()); }
};

/// Writes f as least squares over the numbers of its structure.
/// A single variable becomes a number of one digit, with the smallest possible G_jj.
/// Empty if f has other terms, if most variables are single,
/// or if there are too many numbers or levels.  O(n^2 + m^3) for m numbers.
[[nodiscard]] std::optional<LeastSquares> find_least_squares(
    const qubo::Quadratic& f, const Structure& structure);

/// Returns the 0/1 vector for the level indices of each number.
[[nodiscard]] std::vector<std::uint8_t> vector_of(const LeastSquares& squares,
                                                  const std::vector<int>& chosen);

}  // namespace oa::solve
