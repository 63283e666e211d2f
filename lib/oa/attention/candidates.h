#pragma once

#include "oa/base/arena.h"
#include "oa/num/matrix.h"

#include <span>

namespace oa::attention {

/// Coefficients in [0,1] of one query where only its best values may have one: those of
/// lowest h, which alone would lower the energy most.  It is the minimum over all
/// values if no other has a coefficient there.
///
/// A query costs a look at its m numbers h, and with c candidates of d numbers
/// 2c*c*d + 2c*c FLOPs for each sweep, whatever m is.
class Candidates {
 public:
  /// `count`: at most as many as there are values.
  Candidates(int count, int d, Arena& arena);

  /// x, where J = 2 scale^2 v v', by at most so many sweeps of box_qp_descent().
  void solve(num::ConstView v,
             float scale,
             int sweeps,
             std::span<const float> h,
             std::span<float> x);

 private:
  void choose(std::span<const float> h);

  std::span<int> chosen_;  // with room for more while they are chosen
  num::View values_;       // of the candidates
  num::View transposed_;
  num::View j_;
  num::View h_;
  num::View x_;
  num::View gradient_;
};

}  // namespace oa::attention
