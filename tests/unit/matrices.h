#pragma once

#include "oa/num/matrix.h"
#include "ref/larger.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace oa::test {

/// Whether two matrices of a size have the same bits.
[[nodiscard]] inline bool same_bits(num::ConstView a, num::ConstView b) {
  for (int i = 0; i < a.rows; ++i) {
    if (!std::equal(a.row(i), a.row(i) + a.cols, b.row(i), [](float p, float q) {
          return std::bit_cast<std::uint32_t>(p) == std::bit_cast<std::uint32_t>(q);
        })) {
      return false;
    }
  }
  return true;
}

/// The largest |a - b|, NaN where one is NaN.
[[nodiscard]] inline double largest_difference(num::ConstView a, num::ConstView b) {
  double most = 0.0;
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.cols; ++j) {
      most = larger(most, std::abs(double{a(i, j)} - double{b(i, j)}));
    }
  }
  return most;
}

}  // namespace oa::test
