#pragma once

#include "oa/base/rng.h"
#include "oa/num/matrix.h"

#include <doctest/doctest.h>

#include <concepts>
#include <cstdint>
#include <vector>

namespace oa::test {

/// A whole number from `low` to `high`.
[[nodiscard]] inline int between(Rng& rng, int low, int high) {
  return low + static_cast<int>(rng.below(static_cast<std::uint32_t>(high - low + 1)));
}

/// A whole number from 0 to n - 1.
[[nodiscard]] inline int below(Rng& rng, int n) {
  return between(rng, 0, n - 1);
}

/// n bits.
[[nodiscard]] inline std::vector<std::uint8_t> random_x(Rng& rng, int n) {
  std::vector<std::uint8_t> x;
  while (static_cast<int>(x.size()) < n) {
    x.push_back(static_cast<std::uint8_t>(rng.below(2)));
  }
  return x;
}

/// Normal numbers times `size`, row by row.
inline void fill_normal(num::View x, Rng& rng, float size = 1.0F) {
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.cols; ++j) {
      x(i, j) = size * static_cast<float>(rng.normal());
    }
  }
}

[[nodiscard]] inline num::Matrix drawn_matrix(int rows,
                                              int cols,
                                              Rng& rng,
                                              float size = 1.0F) {
  num::Matrix x(rows, cols);
  fill_normal(x, rng, size);
  return x;
}

[[nodiscard]] inline num::Matrix drawn_matrix(int rows,
                                              int cols,
                                              std::uint64_t seed,
                                              float size = 1.0F) {
  Rng rng(seed);
  return drawn_matrix(rows, cols, rng, size);
}

/// Calls check(fork) or check(fork, t) with the forks 0 to count - 1 of `root`, whose
/// number t a failure names.
template <class Check>
void each_fork(const Rng& root, int count, const Check& check) {
  for (int t = 0; t < count; ++t) {
    CAPTURE(t);
    Rng fork = root.fork(static_cast<std::uint64_t>(t));
    if constexpr (std::invocable<const Check&, Rng&>) {
      check(fork);
    } else {
      check(fork, t);
    }
  }
}

}  // namespace oa::test
