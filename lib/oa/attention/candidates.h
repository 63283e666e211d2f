#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <span>

namespace oa::attention {

/// Coefficients in [0,1] of one query, restricted to its best values: those of lowest
/// h, which alone would lower the energy most.  The result is the minimum over all
/// values if all its other coefficients are 0.
///
/// A query costs one pass over its m numbers h, and with c candidates of d numbers
/// 2c*c*d + 2c*c FLOPs a sweep, whatever m is.
class Candidates {
 public:
  /// `count` is at most the number of values.
  Candidates(int count, int d, Arena& arena);

  /// Computes x for J = 2 scale^2 v v' by at most `sweeps` sweeps of box_qp_descent().
  void solve(num::ConstView v,
             float scale,
             int sweeps,
             std::span<const float> h,
             std::span<float> x);

 private:
  void choose(std::span<const float> h);

  std::span<int> chosen_;  // larger than `count`, as a buffer while choosing
  num::View values_;       // of the candidates
  num::View transposed_;
  num::View j_;
  num::View h_;
  num::View x_;
  num::View gradient_;
};

}  // namespace oa::attention
