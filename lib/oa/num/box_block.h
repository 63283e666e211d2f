#pragma once

namespace oa::num {

/// Coordinates of a box QP (box_qp.h) whose moves are looked for at once.
inline constexpr int kBoxBlock = 64;

}  // namespace oa::num
