#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace oa::num {

/// Sets right = matrix^-1 right for a symmetric positive semidefinite matrix (n*n),
/// whose upper triangle becomes its factor.  Directions without curvature (a pivot
/// below 1e-9 of the largest diagonal element) become 0.  O(n^3 / 6).
void cholesky_solve(std::span<double> matrix, std::span<double> right);

/// Solves systems of selected rows and columns of a matrix; reuses its memory.
class SubsetSolver {
 public:
  /// Sets right_F = J_FF^-1 right_F for the coordinates F in `some`,
  /// as cholesky_solve(); element(a, b) returns J_ab.
  /// Coordinates outside F do not change.
  template <class Element, class Number>
  void solve(std::span<const int> some,
             const Element& element,
             std::span<Number> right) {
    matrix_.clear();
    right_.clear();
    for (const int a : some) {
      right_.push_back(static_cast<double>(right[static_cast<std::size_t>(a)]));
      for (const int b : some) {
        matrix_.push_back(static_cast<double>(element(a, b)));
      }
    }
    cholesky_solve(matrix_, right_);
    for (std::size_t k = 0; k < some.size(); ++k) {
      right[static_cast<std::size_t>(some[k])] = static_cast<Number>(right_[k]);
    }
  }

 private:
  std::vector<double> matrix_;
  std::vector<double> right_;
};

}  // namespace oa::num
