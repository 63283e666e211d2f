#pragma once

#include <span>

namespace oa::num {

/// Eigenvalues of a symmetric matrix of values.size() rows, in rising order.
void symmetric_eigenvalues(std::span<const double> matrix, std::span<double> values);

/// Column j of the matrix becomes the eigenvector, of length 1, of the j-th eigenvalue
/// in rising order.  The matrix has `n` rows and its columns lie one behind the other.
void replace_by_eigenvectors(std::span<double> matrix, int n);

}  // namespace oa::num
