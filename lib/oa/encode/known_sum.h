#pragma once

#include "oa/encode/least_squares.h"

namespace oa::encode {

/// The largest sum for which sufficient_penalty() covers rounding to single precision.
inline constexpr int kMaxSum = 800;

/// Returns a penalty with which every optimum of every query has the sum of the
/// problem, for coefficients that are 0 or 1 and lambda = 0.
/// The sum is from 0 to m and at most kMaxSum.  Allows for the rounding of encode().
/// Searches a good choice of each query, whose residual bounds the penalty.
[[nodiscard]] double sufficient_penalty(const LeastSquares& problem);

}  // namespace oa::encode
