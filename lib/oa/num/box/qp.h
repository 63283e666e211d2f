#pragma once

#include "oa/num/gram.h"
#include "oa/num/matrix.h"

namespace oa::num {

// The box QP of attention coefficients, for many right-hand sides with one matrix:
//   min over x in [0,1]^m of 1/2 x'Jx + h_i'x   for the rows h_i of h (n,m),
// J (m,m) symmetric and positive semidefinite.  x (n,m) becomes the solutions, and g
// (n,m) Jx + h.

/// The largest violation of the optimality conditions over all rows: how far any x_j
/// is from clamp(x_j - g_j / J_jj, 0, 1), the minimum along its own axis.
[[nodiscard]] float box_qp_residual(ConstView j, ConstView x, ConstView g);

struct DescentSettings {
  float tolerance = 1e-3F;  ///< stop when no coordinate of the row would move further
  int sweeps = 200;         ///< at most, per row
  /// Row i has the first i + 1 coordinates.  The others stay 0, and their h is so large
  /// that they would; g stays about that large.
  bool causal = false;
};

/// Cyclic coordinate descent over the coordinates that would move, row by row from 0.
/// In solutions of attention most coordinates are at a bound; a sweep skips sixteen of
/// these at a time.  In long rows, what is inside of the box behind a sweep goes to its
/// common minimum: one after the other these would take tens of sweeps.  Where J is
/// of low rank and many coordinates move, the first sweep is products with J's factors;
/// where J is not there, all is.
void box_qp_descent(
    const Gram& j, ConstView h, const DescentSettings& settings, View x, View g);

}  // namespace oa::num
