#pragma once

#include "oa/num/simd.h"
#include "oa/qubo/matrix.h"

#include <cstddef>
#include <span>
#include <vector>

namespace oa::solve {

/// The matrix as heuristics see it: floats without the diagonal (which for 0/1 vectors
/// belongs to the linear term), rows padded with zeros to whole lines, scaled by a
/// power of two so that the largest magnitude lies in [1, 2).  What heuristics find is
/// evaluated in the exact numbers afterwards.
class Couplings {
 public:
  explicit Couplings(const qubo::Matrix& j);

  [[nodiscard]] int size() const { return n_; }
  [[nodiscard]] int stride() const { return stride_; }
  /// What energies of the problem are multiplied by here.
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] const float* row(int i) const {
    return num::elements(rows_.data()) + static_cast<std::ptrdiff_t>(i) * stride_;
  }

  /// Scaled h_i + J_ii/2, what setting x_i alone adds to the energy, for i < stride():
  /// very large where there is no variable, so that none is ever set.
  void fields(std::span<const double> h, float* out) const;

  /// How far the field of a variable varies: the mean norm of a row.
  [[nodiscard]] double spread() const { return spread_; }

 private:
  int n_;
  int stride_;
  double scale_ = 1.0;
  std::vector<num::FloatLine> rows_;
  std::vector<double> own_;  // J_ii / 2
  double spread_ = 0.0;
};

}  // namespace oa::solve
