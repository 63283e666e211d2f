#pragma once

#include "oa/num/box/qp.h"

namespace oa::num {

/// box_qp_descent() for J = scale transposed' transposed, transposed (d,m), without J:
/// a sweep takes m d multiply-adds, and each move 64 d.  It is for few rows: to compute
/// J takes as long as tens of them.
void box_qp_descent_low_rank(ConstView transposed,
                             float scale,
                             ConstView h,
                             const DescentSettings& settings,
                             View x,
                             View g);

}  // namespace oa::num
