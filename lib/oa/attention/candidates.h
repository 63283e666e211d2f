#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <span>

namespace oa::attention {

/// Coefficients in [0,1] of one query for only `count` candidates: the values with the
/// lowest h.  Each candidate alone would lower the energy more than any other value.
/// The result is the minimum over all values if all other coefficients are 0 there.
///
/// Reads the m numbers h of a query once.
/// A sweep over c candidates of d numbers takes 2c*c*d + 2c*c FLOPs for any m.
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
