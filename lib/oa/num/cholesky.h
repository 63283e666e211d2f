#pragma once

#include <span>

namespace oa::num {

/// right = matrix^-1 right for a symmetric positive semidefinite matrix (n*n), whose
/// upper triangle is overwritten by its factor.  Directions without curvature (a pivot
/// below 1e-9 of the largest diagonal element) become 0.  O(n^3 / 6).
void cholesky_solve(std::span<double> matrix, std::span<double> right);

}  // namespace oa::num
