#pragma once

#include "oa/num/cholesky.h"

#include <cstddef>
#include <span>
#include <vector>

namespace oa::num {

/// Solves x = sigmoid(-(Jx + h)/T) in double precision for many h, from a start near
/// the solution, as from MeanField.  J (n,n) is symmetric and positive semidefinite.
class MeanFieldSearch {
 public:
  MeanFieldSearch(std::size_t n, std::span<const double> j);

  /// Sets x to the solution by Newton's method with shortened steps, O(n^3) each.
  /// Returns false without convergence.
  [[nodiscard]] bool solve(std::span<const double> h,
                           double temperature,
                           std::span<double> x);

 private:
  void look_at(std::span<const double> h, double temperature);
  void find_step(double temperature);

  std::size_t n_;
  std::vector<double> j_;
  std::vector<double> field_;  // p: x = sigmoid(-p/T)
  std::vector<double> x_;
  std::vector<double> g_;     // Jx + h
  std::vector<double> next_;  // sigmoid(-g/T)
  double apart_ = 0.0;        // max |x - next|
  std::vector<double> step_;  // in field_
  std::vector<double> root_;  // sqrt(x(1-x)/T)
  std::vector<int> moving_;
  SubsetSolver solver_;
};

}  // namespace oa::num
