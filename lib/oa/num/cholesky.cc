#include "oa/num/cholesky.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace oa::num {

void cholesky_solve(std::span<double> matrix, std::span<double> right) {
  const std::size_t n = right.size();
  assert(matrix.size() == n * n);
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    largest = std::max(largest, matrix[i * n + i]);
  }
  // Lower factor in place, row by row; a diagonal of 0 marks a dropped direction.
  for (std::size_t i = 0; i < n; ++i) {
    double* const row = &matrix[i * n];
    for (std::size_t j = 0; j <= i; ++j) {
      const double* const other = &matrix[j * n];
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) {
        sum -= row[k] * other[k];
      }
      if (j < i) {
        row[j] = other[j] > 0.0 ? sum / other[j] : 0.0;
      } else {
        row[i] = sum > 1e-9 * largest ? std::sqrt(sum) : 0.0;
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      right[i] -= matrix[i * n + k] * right[k];
    }
    const double pivot = matrix[i * n + i];
    right[i] = pivot > 0.0 ? right[i] / pivot : 0.0;
  }
  for (std::size_t i = n; i-- > 0;) {
    const double pivot = matrix[i * n + i];
    right[i] = pivot > 0.0 ? right[i] / pivot : 0.0;
    for (std::size_t k = 0; k < i; ++k) {
      right[k] -= matrix[i * n + k] * right[i];
    }
  }
}

}  // namespace oa::num
