#pragma once

#include "oa/num/gram.h"
#include "oa/num/matrix.h"

namespace oa::num {

/// How many rows to take at a time where n rows meet one small matrix again and again,
/// each until it is done: a tile of matmul(), spread evenly.  More would wait for the
/// slowest among them.
[[nodiscard]] constexpr int rows_of_block(int n) {
  constexpr int kTile = 6;
  const int blocks = (n + kTile - 1) / kTile;
  return (n + blocks - 1) / blocks;
}

/// Solves many systems with one matrix and a diagonal of their own:
///   (J + diag(1/s_i^2)) w_i = b_i   for the rows s_i, b_i, w_i,
/// w_ij = 0 where s_ij = 0.  J is symmetric and positive semidefinite.  Solved as
/// (I + SJS) y = Sb, w = Sy by conjugate gradients, some rows at once, so that the work
/// is products of matrices; eigenvalues of SJS below 1 cost next to nothing.  What a
/// row becomes does not depend on the others.
class ScaledCg {
 public:
  /// For n systems of m unknowns, or fewer of fewer.
  ScaledCg(int n, int m, Arena& arena);

  /// How far and how long a row is iterated.
  struct Limits {
    float tolerance;  ///< times its right-hand side: what may be left of it
    int iterations;
  };

  /// w may be b.  Causal: behind row i's first i + 1 coefficients s is 0.
  void solve(const Gram& j,
             ConstView s,
             ConstView b,
             bool causal,
             const Limits& limits,
             View w);

  /// The same for rows of one block, and jw_i = J w_i: the iterations have it.
  void solve_block(
      const Gram& j, ConstView s, ConstView b, const Limits& limits, View w, View jw);

 private:
  View residual_;
  View direction_;
  View scaled_;            // S p
  View product_;           // J S p
  View sum_;               // J w
  View between_;           // of products with J's factors
  std::span<float> size_;  // |residual|^2 of each row
  std::span<float> goal_;  // a row is solved when its size_ is below this
};

}  // namespace oa::num
