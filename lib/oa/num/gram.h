#pragma once

#include "oa/num/matrix.h"

#include <algorithm>

namespace oa::num {

/// A symmetric matrix j (m,m), and its factors where they are known:
///   j = scale * factor * transposed,  factor (m,d),  transposed (d,m) = factor'
/// Products are with j where `factor` is nothing.
struct Gram {
  ConstView j;         ///< or nothing: box_qp_descent() does with `transposed`
  ConstView factor{};  ///< or nothing
  ConstView transposed{};
  float scale = 1.0F;

  [[nodiscard]] int size() const { return std::max(j.rows, transposed.cols); }
  /// Whether products with the factors take much less time than with j.
  [[nodiscard]] bool low_rank() const {
    return factor.cols > 0 && is_low_rank(j.rows, factor.cols);
  }
  [[nodiscard]] static constexpr bool is_low_rank(int m, int d) {
    return m >= 256 && d <= m / 4;  // with less little is won
  }

  /// That of the first `count` rows and columns.
  [[nodiscard]] Gram top(int count) const;
};

/// What products of n rows with some j (m,m) may need.
[[nodiscard]] View room_between(int n, int m, Arena& arena);

/// y (n,m) = x (n,m) j.  `between` is room for n rows or more.
void multiply(ConstView x, const Gram& gram, View between, View y);

/// y += x j
void multiply_add(ConstView x, const Gram& gram, View between, View y);

}  // namespace oa::num
