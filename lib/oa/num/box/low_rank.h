#pragma once

#include "oa/num/box/qp.h"

namespace oa::num {

/// box_qp_descent() for J = scale transposed' transposed with transposed (d,m),
/// without computing J. Costs m d multiply-adds a sweep and 64 d a move.
/// Pays off for small n: computing J costs as much as tens of rows.
void box_qp_descent_low_rank(ConstView transposed,
                             float scale,
                             ConstView h,
                             const DescentSettings& settings,
                             View x,
                             View g);

}  // namespace oa::num
