#pragma once

namespace oa::num {

/// The number of coordinates of a box QP (qp.h) that are checked for moves at a time.
inline constexpr int kBoxBlock = 64;

/// With a curvature below kNoCurvature, only the sign of the gradient counts: the
/// inverse of the curvature is kInverseOfNone.
inline constexpr float kNoCurvature = 1e-12F;
inline constexpr float kInverseOfNone = 1e12F;

}  // namespace oa::num
