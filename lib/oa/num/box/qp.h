#pragma once

#include "oa/num/gram.h"
#include "oa/num/matrix.h"

namespace oa::num {

// The box QP of attention coefficients, for many right-hand sides and one matrix:
//   min over x in [0,1]^m of 1/2 x'Jx + h_i'x   for the rows h_i of h (n,m),
// J (m,m) symmetric and positive semidefinite.  The solvers set x (n,m) to the minima
// and g (n,m) to Jx + h.

/// The largest violation of the optimality conditions over all rows: the distance of
/// any x_j from clamp(x_j - g_j / J_jj, 0, 1), the minimum along the axis of x_j.
[[nodiscard]] float box_qp_residual(ConstView j, ConstView x, ConstView g);

struct DescentSettings {
  float tolerance = 1e-3F;  ///< stop when no coordinate of a row would move further
  int sweeps = 200;         ///< maximum for each row
  /// Row i has only the first i + 1 coordinates: the caller makes later h very large,
  /// so that later x are 0.  Later g are also very large.
  bool causal = false;
};

/// Cyclic coordinate descent from 0, row by row, over coordinates that would move.
/// Most coordinates of attention problems end at a bound;
/// a sweep skips 16 such coordinates at a time.
/// In long rows, coordinates inside the box are minimised jointly after a sweep,
/// which saves tens of sweeps.  If J has low rank and many coordinates move,
/// the first sweep multiplies by the factors of J; without J, every sweep does.
void box_qp_descent(
    const Gram& j, ConstView h, const DescentSettings& settings, View x, View g);

}  // namespace oa::num
