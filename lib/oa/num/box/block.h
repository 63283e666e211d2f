#pragma once

namespace oa::num {

/// The number of coordinates of a box QP (qp.h) that are tested for moves at once.
inline constexpr int kBoxBlock = 64;

/// Below the curvature kNoCurvature, only the sign of the gradient counts:
/// kInverseOfNone replaces the inverse of the curvature.
inline constexpr float kNoCurvature = 1e-12F;
inline constexpr float kInverseOfNone = 1e12F;

}  // namespace oa::num
