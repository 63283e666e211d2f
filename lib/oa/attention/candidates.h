#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <span>

namespace oa::attention {

/// Coefficients in [0,1] of one query, restricted to the values with the lowest h, each
/// of which alone would lower the energy most.  The result is the minimum over all
/// values if coefficients of other values are 0 there.
///
/// For a query, reads its m numbers h once; a sweep over c candidates of d numbers
/// takes 2c*c*d + 2c*c FLOPs for any m.
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

  std::span<int> chosen_;  // longer than `count`: a buffer while choosing
  num::View values_;       // values of the candidates
  num::View transposed_;
  num::View j_;
  num::View h_;
  num::View x_;
  num::View gradient_;
};

}  // namespace oa::attention
