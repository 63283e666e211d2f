#pragma once

#include "oa/solve/method/stop.h"
#include "oa/solve/polynomial/whole_polynomial.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// The best x of all 2^n.
struct Enumerated {
  struct One {
    Whole value;          ///< in units
    std::uint64_t index;  ///< x as a binary number, variable 0 first
    friend auto operator<=>(const One&, const One&) = default;
  };
  std::vector<One> best;     ///< by value, then lexicographically; at most `top`
  std::uint64_t optima = 0;  ///< x with the least value
  bool complete = false;     ///< false if stopped: some x were not seen
};

/// Variables of the largest polynomial that may be enumerated.
inline constexpr int kMaxEnumerated = 48;

/// Seconds that it takes on one thread, about.
[[nodiscard]] double enumeration_seconds(const WholePolynomial& p);

/// Computes the values of all x, 4096 at a time: for each setting of the first
/// variables, in the order of a Gray code, the monomials add up to a polynomial of the
/// last 12, whose values a fast transform yields (Walsh and Hadamard; Yates 1937).  If
/// flipping all spins changes nothing and top is 1, half of all x are left out.
[[nodiscard]] Enumerated enumerate(const WholePolynomial& p,
                                   int top,
                                   int threads,
                                   const Stop& stop);

/// The x of an index.
[[nodiscard]] std::vector<std::uint8_t> x_of(std::uint64_t index, int n);

}  // namespace oa::solve
