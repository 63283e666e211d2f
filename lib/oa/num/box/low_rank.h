#pragma once

#include "oa/num/box/qp.h"

namespace oa::num {

/// box_qp_descent() for J = scale transposed' transposed, transposed (d,m), without
/// computing J.  A sweep takes m d multiply-adds, and each move 64 d.  For few rows:
/// computing J takes as long as tens of rows.
void box_qp_descent_low_rank(ConstView transposed,
                             float scale,
                             ConstView h,
                             const DescentSettings& settings,
                             View x,
                             View g);

}  // namespace oa::num
