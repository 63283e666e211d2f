#pragma once

#include "oa/num/gram.h"
#include "oa/num/matrix.h"

namespace oa::num {

/// The number of rows (of n) that one small matrix multiplies together, until each is
/// solved: a tile of matmul(), spread evenly.  More would wait for the slowest row.
[[nodiscard]] constexpr int rows_of_block(int n) {
  constexpr int kTile = 6;
  const int blocks = (n + kTile - 1) / kTile;
  return (n + blocks - 1) / blocks;
}

/// Solves many systems with one matrix and a different diagonal each:
///   (J + diag(1/s_i^2)) w_i = b_i   for the rows s_i, b_i, w_i,
/// w_ij = 0 where s_ij = 0.  J is symmetric and positive semidefinite.
/// With S = diag(s), conjugate gradients solve (I + SJS) y = Sb,
/// w = Sy for some rows together as matrix products;
/// eigenvalues of SJS below 1 hardly matter.  Rows do not depend on each other.
class ScaledCg {
 public:
  /// Reserves memory for n systems of at most m unknowns.
  ScaledCg(int n, int m, Arena& arena);

  /// The limits of the iterations of a row.
  struct Limits {
    float tolerance;  ///< of the residual, relative to the right-hand side
    int iterations;
  };

  /// w may be b.  If causal, s of row i is 0 beyond the first i + 1 coefficients.
  void solve(const Gram& j,
             ConstView s,
             ConstView b,
             bool causal,
             const Limits& limits,
             View w);

  /// Like solve(), but for the rows of one block.  Also returns jw_i = J w_i.
  void solve_block(
      const Gram& j, ConstView s, ConstView b, const Limits& limits, View w, View jw);

 private:
  View residual_;
  View direction_;
  View scaled_;            // S p
  View product_;           // J S p
  View sum_;               // J w
  View between_;           // scratch of multiply()
  std::span<float> size_;  // |residual|^2 of each row
  std::span<float> goal_;  // a row is solved when its size_ is below this
};

}  // namespace oa::num
