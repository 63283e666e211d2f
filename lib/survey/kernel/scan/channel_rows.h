#pragma once

#include "oa/num/matrix.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace oa::attention {

// Packed rows (packing.h) of one block of num::kLane channels.  Loops have a fixed
// number of steps without branches, so that compilers vectorise them.

/// Multiplies each row of x by `factors`, elementwise.
inline void multiply_rows(const float* factors, const float* x, int rows, float* to) {
  for (int t = 0; t < rows; ++t) {
    for (int i = 0; i < num::kLane; ++i) {
      to[t * num::kLane + i] = factors[i] * x[t * num::kLane + i];
    }
  }
}

/// Adds a * b, elementwise and row by row, to the first `channels` numbers of `sum`.
inline void add_row_products(
    const float* a, const float* b, int rows, int channels, float* sum) {
  std::array<float, num::kLane> all{};
  std::copy_n(sum, channels, all.data());
  for (int t = 0; t < rows; ++t) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] += a[i] * b[i];
    }
    a += num::kLane;
    b += num::kLane;
  }
  std::copy_n(all.data(), channels, sum);
}

}  // namespace oa::attention
