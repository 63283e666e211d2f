#pragma once

#include "oa/solve/method/stop.h"
#include "oa/solve/polynomial/whole_polynomial.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// The best of all 2^n vectors x.
struct Enumerated {
  struct One {
    Whole value;          ///< in multiples of 2^unit
    std::uint64_t index;  ///< x as a binary number, variable 0 is the highest bit
    friend auto operator<=>(const One&, const One&) = default;
  };
  std::vector<One> best;     ///< by value, then lexicographically; at most `top`
  std::uint64_t optima = 0;  ///< number of x with the least value
  bool complete = false;     ///< false if stopped before all x
};

/// The maximum number of variables for enumeration.
inline constexpr int kMaxEnumerated = 48;

/// The approximate seconds on one thread.
[[nodiscard]] double enumeration_seconds(const WholePolynomial& p);

/// Computes the values of all x, 4096 at a time.  The first variables run through a
/// Gray code, the monomials add up to a polynomial of the last 12 variables,
/// and a fast transform (Walsh and Hadamard; Yates 1937) yields its values.
/// If flipping all spins changes nothing and top is 1, half of all x suffice.
[[nodiscard]] Enumerated enumerate(const WholePolynomial& p,
                                   int top,
                                   int threads,
                                   const Stop& stop);

/// Returns the x of an index.
[[nodiscard]] std::vector<std::uint8_t> x_of(std::uint64_t index, int n);

}  // namespace oa::solve
