#pragma once

namespace oa::num {

/// Coordinates of a box QP (qp.h) whose moves are looked for at once.
inline constexpr int kBoxBlock = 64;

/// Below kNoCurvature only the sign of a gradient counts: as if the inverse of the
/// curvature were that.
inline constexpr float kNoCurvature = 1e-12F;
inline constexpr float kInverseOfNone = 1e12F;

}  // namespace oa::num
