#pragma once

#include "oa/num/gram.h"
#include "oa/num/matrix.h"
#include "oa/num/mean_field/low_rank.h"
#include "oa/num/mean_field/scaled_cg.h"

#include <span>
#include <vector>

namespace oa::num {

/// Solves x_i = sigmoid(-(J x_i + h_i)/T) for the rows h_i of h (n,m),
/// with J (m,m) symmetric and positive semidefinite.
/// x_i is the unique minimum of the strictly convex function
///   1/2 x'Jx + h_i'x + T sum_k (x_k ln x_k + (1 - x_k) ln(1 - x_k)).
///
/// Newton's method in the field p, where x = sigmoid(-p/T), and p = Jx + h at the
/// solution: p += r + J dx with r = Jx + h - p, (J + diag(1/S)) dx = -r and
/// S = x(1-x)/T. If the slope rises steeply after a step, the step is shortened.
/// Rows of a block advance together as matrix products.  A row has converged if x and
/// sigmoid(-(Jx + h)/T) differ by at most the tolerance.  If a row still differs by
/// more than 0.05 after 40 steps, LowRankMeanField solves it if J has few columns.
/// Otherwise the block restarts at a higher temperature and cools, at most 5 times.
class MeanField {
 public:
  /// The smallest tolerance for x: the rounding of sums of 64 floats.
  static constexpr float kNearest = 3e-6F;

  /// Reserves memory for n rows of m coefficients.
  MeanField(int n, int m, Arena& arena);

  /// Sets x (n,m) = sigmoid(-g/T) and g (n,m) = Jx + h, with x within `tolerance`,
  /// or within kNearest if that is larger.  Rows that do not converge,
  /// as with large J at a low temperature, are within 0.05 or worse, without a report.
  /// If causal, h of row i must be so large beyond i + 1 coefficients that these x are
  /// 0; g may omit their contribution.
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
  /// Sets r of row i, or 0 if no new step is needed.  Returns false if row i is solved.
  [[nodiscard]] bool prepare(const Block& at, float tolerance, int i);
  /// Shortens the last step of row i if the step was too long.
  [[nodiscard]] bool shorten(const Block& at, int i);
  void step(const Gram& j, const Block& at);

  int rows_;  // maximum of a block
  View field_;
  View direction_;  // of the current step
  View residual_;
  View root_;   // sqrt(S)
  View next_;   // sigmoid(-(Jx + h)/T), then dx
  View other_;  // J dx
  View between_;
  ScaledCg newton_;
  LowRankMeanField low_rank_;
  std::vector<bool> open_;    // rows of the last block that were not solved
  std::span<float> length_;   // of the current step; 0 before a new one
  std::span<float> descent_;  // minus the slope at the start of the step
};

}  // namespace oa::num
