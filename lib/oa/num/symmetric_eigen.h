#pragma once

#include <span>

namespace oa::num {

/// The eigenvalues of a symmetric matrix of values.size() rows, in rising order.
void symmetric_eigenvalues(std::span<const double> matrix, std::span<double> values);

/// Replaces column j of the (n,n) column-major matrix by the unit eigenvector of the
/// j-th eigenvalue in rising order.
void replace_by_eigenvectors(std::span<double> matrix, int n);

}  // namespace oa::num
