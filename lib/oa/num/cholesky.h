#pragma once

#include <cstddef>
#include <span>

namespace oa::num {

/// U of matrix = U'U, in place of the upper triangle of a symmetric positive
/// semidefinite matrix (n*n); the lower one is not looked at.  Directions without
/// curvature (a pivot below 1e-9 of the largest diagonal element) are dropped: their
/// rows become 0.  O(n^3 / 6).
void cholesky_factor(std::span<double> matrix, std::size_t n);

/// right = (U'U)^-1 right; 0 in the directions that were dropped.
void solve_factored(std::span<const double> factor, std::span<double> right);

/// right = matrix^-1 right by both; `matrix` becomes its factor.
void cholesky_solve(std::span<double> matrix, std::span<double> right);

}  // namespace oa::num
