#pragma once

#include "oa/num/matrix.h"

namespace oa::num {

/// Solves many systems with one matrix and a diagonal of their own:
///   (J + diag(1/s_i^2)) w_i = b_i   for the rows s_i, b_i, w_i,
/// w_ij = 0 where s_ij = 0.  J is symmetric and positive semidefinite.  Solved as
/// (I + SJS) y = Sb, w = Sy by conjugate gradients, all rows at once, so that the work
/// is products of matrices; eigenvalues of SJS below 1 cost next to nothing.
class ScaledCg {
 public:
  /// For n systems of m unknowns, or fewer of fewer.
  ScaledCg(int n, int m, Arena& arena);

  /// Iterates until every residual is below `tolerance` times its right-hand side, at
  /// most `limit` times.  Returns the number of iterations.  w may be b.
  int solve(ConstView j, ConstView s, ConstView b, float tolerance, int limit, View w);

 private:
  View residual_;
  View direction_;
  View scaled_;            // S p
  View product_;           // J S p
  std::span<float> size_;  // |residual|^2 of each row
  std::span<float> goal_;  // a row is solved when its size_ is below this
};

}  // namespace oa::num
