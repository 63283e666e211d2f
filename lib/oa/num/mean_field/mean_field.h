#pragma once

#include "oa/num/gram.h"
#include "oa/num/matrix.h"
#include "oa/num/mean_field/low_rank.h"
#include "oa/num/mean_field/scaled_cg.h"

#include <span>

namespace oa::num {

/// x_i = sigmoid(-(J x_i + h_i)/T) for the rows h_i of h (n,m) and one J (m,m),
/// symmetric and positive semidefinite.  These x are the minima of
///   1/2 x'Jx + h_i'x + T sum_k (x_k ln x_k + (1 - x_k) ln(1 - x_k)),
/// which is strictly convex: there is one for each row.
///
/// Newton's method in the field p, x = sigmoid(-p/T), which is Jx + h at the solution:
/// p += r + J dx with r = Jx + h - p and (J + diag(1/S)) dx = -r, S = x(1-x)/T.  A step
/// behind which the slope goes up steeply is shortened.  All rows of a block at once,
/// so that the work is products of matrices.  Where 40 steps do not come near, and
/// where J has few columns, LowRankMeanField finds x; a J whose columns are not known,
/// or too many, begins again at a higher temperature, which then falls.
class MeanField {
 public:
  /// How near to the solution x comes, at best: sums of 64 floats know no more.
  static constexpr float kNearest = 3e-6F;

  /// For n rows of m coefficients.
  MeanField(int n, int m, Arena& arena);

  /// x (n,m) = sigmoid(-g/T), and g (n,m), which is Jx + h of an x no further away than
  /// `tolerance` or, if that is smaller, kNearest.  Causal: behind row i's first i + 1
  /// coefficients h is so large that the others are 0, and what they add to g may be
  /// left out.
  void solve(const Gram& j,
             ConstView h,
             bool causal,
             float temperature,
             float tolerance,
             View x,
             View g);

 private:
  struct Block;  // the rows at work

  static void begin(ConstView h, const Block& at);
  /// Whether it came anywhere near.
  bool solve_block(
      const Gram& j, ConstView h, float temperature, float tolerance, const Block& at);
  /// r of row i where it needs a new step, else 0.  False if it is solved.
  [[nodiscard]] bool prepare(const Block& at, float tolerance, int i);
  /// Takes back a part of the last step of row i, if it went too far.
  [[nodiscard]] bool shorten(const Block& at, int i);
  void step(const Gram& j, const Block& at);

  int rows_;  // of a block, at most
  View field_;
  View direction_;  // of the last step
  View residual_;
  View root_;   // sqrt(S)
  View next_;   // sigmoid(-(Jx + h)/T), then dx
  View other_;  // J dx
  View between_;
  ScaledCg newton_;
  LowRankMeanField low_rank_;
  std::span<float> length_;   // of the last step; 0 where the next is a new one
  std::span<float> descent_;  // minus the slope where it began
};

}  // namespace oa::num
