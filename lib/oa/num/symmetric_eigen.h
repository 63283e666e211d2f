#pragma once

#include <span>

namespace oa::num {

/// Sets `values` to the eigenvalues of a symmetric matrix, ascending.
void symmetric_eigenvalues(std::span<const double> matrix, std::span<double> values);

/// Replaces column j of the (n,n) column-major matrix by the unit eigenvector of the
/// j-th smallest eigenvalue.
void replace_by_eigenvectors(std::span<double> matrix, int n);

}  // namespace oa::num
