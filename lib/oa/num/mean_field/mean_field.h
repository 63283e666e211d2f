#pragma once

#include "oa/num/gram.h"
#include "oa/num/matrix.h"
#include "oa/num/mean_field/low_rank.h"
#include "oa/num/mean_field/scaled_cg.h"

#include <span>
#include <vector>

namespace oa::num {

/// x_i = sigmoid(-(J x_i + h_i)/T) for the rows h_i of h (n,m) and one J (m,m),
/// symmetric and positive semidefinite.  These x are the minima of
///   1/2 x'Jx + h_i'x + T sum_k (x_k ln x_k + (1 - x_k) ln(1 - x_k)),
/// which is strictly convex: there is one for each row.
///
/// Newton's method in the field p, x = sigmoid(-p/T), which is Jx + h at the solution:
/// p += r + J dx with r = Jx + h - p and (J + diag(1/S)) dx = -r, S = x(1-x)/T.  A step
/// after which the slope rises steeply is shortened.  All rows of a block advance
/// together, so that the work is matrix products.  A row has converged where x and
/// sigmoid(-(Jx + h)/T) differ by at most the tolerance.  If 40 steps leave a row of
/// the block with a difference of more than 0.05, LowRankMeanField finds x if J has few
/// columns.  For another J, the block starts again at a higher temperature and cools, 5
/// times at most.
class MeanField {
 public:
  /// The best possible accuracy of x: sums of 64 floats have no better one.
  static constexpr float kNearest = 3e-6F;

  /// For n rows of m coefficients.
  MeanField(int n, int m, Arena& arena);

  /// x (n,m) = sigmoid(-g/T), and g (n,m) = Jx + h for an x within `tolerance`, or
  /// kNearest if that is larger.  Rows that do not converge, as with a J of large scale
  /// at a low temperature, are within 0.05 or worse, without a report.  Causal: h of
  /// row i is so large after its first i + 1 coefficients that the others are 0; g may
  /// lack their part.
  void solve(const Gram& j,
             ConstView h,
             bool causal,
             float temperature,
             float tolerance,
             View x,
             View g);

 private:
  struct Block;  // the current rows

  static void begin(ConstView h, const Block& at);
  /// Returns whether all rows are within `tolerance`, or within 0.05 after all steps.
  bool solve_block(
      const Gram& j, ConstView h, float temperature, float tolerance, const Block& at);
  /// Computes r of row i if it needs a new step, else 0.  False if the row is solved.
  [[nodiscard]] bool prepare(const Block& at, float tolerance, int i);
  /// Shortens the last step of row i if it was too long.
  [[nodiscard]] bool shorten(const Block& at, int i);
  void step(const Gram& j, const Block& at);

  int rows_;  // the most of a block
  View field_;
  View direction_;  // of the last step
  View residual_;
  View root_;   // sqrt(S)
  View next_;   // sigmoid(-(Jx + h)/T), then dx
  View other_;  // J dx
  View between_;
  ScaledCg newton_;
  LowRankMeanField low_rank_;
  std::vector<bool> open_;    // rows of the last block that were not solved
  std::span<float> length_;   // of the last step; 0 before a new one
  std::span<float> descent_;  // minus the slope at its start
};

}  // namespace oa::num
