#pragma once

#include "oa/num/matrix.h"

#include <algorithm>

namespace oa::num {

/// A symmetric matrix j (m,m), and its factors if known:
///   j = scale * factor * transposed,  factor (m,d),  transposed (d,m) = factor'
/// Without `factor`, products use j.
struct Gram {
  ConstView j;         ///< may be empty for box_qp_descent() with `transposed`
  ConstView factor{};  ///< may be empty
  ConstView transposed{};
  float scale = 1.0F;

  [[nodiscard]] int size() const { return std::max(j.rows, transposed.cols); }
  /// True if products with the factors are much faster than with j.
  [[nodiscard]] bool low_rank() const {
    return factor.cols > 0 && is_low_rank(j.rows, factor.cols);
  }
  [[nodiscard]] static constexpr bool is_low_rank(int m, int d) {
    return m >= 256 && d <= m / 4;  // smaller m / d gain little
  }

  /// The leading block of `count` rows and columns.
  [[nodiscard]] Gram top(int count) const;
};

/// Reserves scratch memory for products of n rows with j (m,m).
[[nodiscard]] View room_between(int n, int m, Arena& arena);

/// Computes y (n,m) = x (n,m) j.  `between` is scratch memory of at least n rows.
void multiply(ConstView x, const Gram& gram, View between, View y);

/// y += x j
void multiply_add(ConstView x, const Gram& gram, View between, View y);

}  // namespace oa::num
