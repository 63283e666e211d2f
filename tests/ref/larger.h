#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

namespace oa::test {

/// The larger of two errors.  NaN is larger than any number: std::max() alone
/// would leave it out.
template <std::floating_point T>
[[nodiscard]] T larger(T worst, T x) {
  return std::isnan(x) ? x : std::max(worst, x);
}

}  // namespace oa::test
