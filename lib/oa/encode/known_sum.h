#pragma once

#include "oa/encode/least_squares.h"

namespace oa::encode {

/// The largest sum for which sufficient_penalty() covers rounding to single precision.
inline constexpr int kMaxSum = 800;

/// A penalty with which every optimum of every query has the sum of the problem, from 0
/// to m and at most kMaxSum, for coefficients that are 0 or 1 and lambda = 0.  It
/// allows for the rounding of encode().  Searches for a good choice of each query: its
/// residual bounds the penalty.
[[nodiscard]] double sufficient_penalty(const LeastSquares& problem);

}  // namespace oa::encode
