#pragma once

#include "oa/num/cholesky.h"

#include <cstddef>
#include <span>
#include <vector>

namespace oa::num {

/// Minimises 1/2 x'Jx + h'x over [0,1]^n for many h in double precision,
/// from any start.  J (n,n) is symmetric and positive semidefinite.
/// A sweep finds the coordinates that end at a bound;
/// then all others move to their joint minimum, as far as the bounds allow.
class BoxSearch {
 public:
  BoxSearch(std::size_t n, std::span<const double> j);

  /// Sets x to the minimum.  Returns false if coordinates still move after 1000 sweeps.
  /// A sweep is O(n k + k^3) for k coordinates that move or are inside the box.
  [[nodiscard]] bool solve(std::span<const double> h, std::span<double> x);

 private:
  void look_at(std::span<const double> h, std::span<const double> x);
  double sweep(std::span<double> x);
  bool go_inside(std::span<double> x);

  std::size_t n_;
  std::vector<double> j_;
  std::vector<double> g_;  // Jx + h
  std::vector<int> inside_;
  std::vector<double> step_;
  SubsetSolver solver_;
};

}  // namespace oa::num
