#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace oa::num {

/// Minimises 1/2 x'Jx + h'x + penalty |x|_1 for many h from any start,
/// with J (n,n) symmetric and positive semidefinite.
/// A step solves for the nonzero coordinates as long as signs stay,
/// or lets the coordinate with the largest gain leave 0 (feature-sign search:
/// Lee, Battle, Raina and Ng, Efficient sparse coding algorithms, 2007).
class LassoSearch {
 public:
  LassoSearch(std::size_t n, std::span<const double> j);

  /// Sets x to the minimum.  On failure, returns false and leaves x no worse.
  /// Takes about k steps of O(n k + k^3) for k nonzero coordinates.
  [[nodiscard]] bool solve(std::span<const double> h,
                           double penalty,
                           std::span<double> x);

 private:
  void look_at(std::span<const double> h, std::span<const double> x);
  [[nodiscard]] bool settled(double penalty, double tolerance) const;
  [[nodiscard]] bool admit(double penalty, double tolerance, std::span<const double> x);
  [[nodiscard]] bool move(double penalty, std::span<double> x);
  [[nodiscard]] double change(double penalty,
                              double t,
                              std::span<const double> x) const;

  std::size_t n_;
  std::vector<double> j_;
  std::vector<double> g_;             // Jx + h
  std::vector<std::size_t> support_;  // coordinates that are, or become, nonzero
  std::vector<double> sign_;          // of each support coordinate
  std::vector<double> matrix_;        // J of the support
  std::vector<double> step_;          // to the minimum with constant signs
  double slope_ = 0.0;                // along the step, with constant signs
  double curvature_ = 0.0;
};

}  // namespace oa::num
