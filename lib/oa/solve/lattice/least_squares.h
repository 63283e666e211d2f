#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/structure/structure.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::solve {

/// A value of a number, and the digits that are 1 in it: bit k belongs to digit k.
struct Level {
  double value = 0.0;
  std::uint32_t digits = 0;
};

/// A problem over spins s = 2x - 1 as one over numbers z_j = sum_k weight_jk s_k:
///   f(x) = constant + z'Gz + g'z, up to `error`,
/// with a positive semidefinite G, as computed.
struct LeastSquares {
  std::vector<Number> numbers;             ///< every variable is a digit of one of them
  std::vector<std::vector<Level>> levels;  ///< of each number, by value
  std::vector<double> gram;                ///< G, (size,size)
  std::vector<double> linear;
  double constant = 0.0;
  double error = 0.0;  ///< the most that f differs, rounding included

  [[nodiscard]] int size() const { return static_cast<int>(numbers.size()); }
};

/// Reads f as least squares over the numbers of its structure; variables without one
/// become numbers of one digit, whose G_jj is as small as possible.  Nothing if f is
/// more than such squares, if most variables are in no number, or if there are too many
/// numbers or levels.  O(n^2 + m^3) for m numbers.
[[nodiscard]] std::optional<LeastSquares> find_least_squares(
    const qubo::Quadratic& f, const Structure& structure);

/// The 0/1 vector of the levels with these indices.
[[nodiscard]] std::vector<std::uint8_t> vector_of(const LeastSquares& squares,
                                                  const std::vector<int>& chosen);

}  // namespace oa::solve
