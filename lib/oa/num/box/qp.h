#pragma once

#include "oa/num/gram.h"
#include "oa/num/matrix.h"

namespace oa::num {

// The box QP of attention coefficients, for many right-hand sides with one matrix:
//   min over x in [0,1]^m of 1/2 x'Jx + h_i'x   for the rows h_i of h (n,m),
// J (m,m) symmetric and positive semidefinite.  x (n,m) becomes the solutions, and g
// (n,m) Jx + h.

/// The largest violation of the optimality conditions over all rows: the distance of
/// any x_j from clamp(x_j - g_j / J_jj, 0, 1), the minimum along its axis.
[[nodiscard]] float box_qp_residual(ConstView j, ConstView x, ConstView g);

struct DescentSettings {
  float tolerance = 1e-3F;  ///< ends when no coordinate of the row would move further
  int sweeps = 200;         ///< at most, per row
  /// Row i has the first i + 1 coordinates.  The others stay 0, because their h is very
  /// large; so is their g.
  bool causal = false;
};

/// Cyclic coordinate descent over the coordinates that would move, row by row from 0.
/// Most coordinates of attention problems end at a bound; a sweep skips 16 of these at
/// a time.  In long rows, the coordinates inside the box are minimised together after a
/// sweep; one by one they would take tens of sweeps.  If J is of low rank and many
/// coordinates move, the first sweep is products with its factors.  Without J, all
/// sweeps are.
void box_qp_descent(
    const Gram& j, ConstView h, const DescentSettings& settings, View x, View g);

}  // namespace oa::num
