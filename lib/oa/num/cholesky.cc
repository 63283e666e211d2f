#include "oa/num/cholesky.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace oa::num {
namespace {

// Inner loops run over columns, whose independent sums compilers vectorise.

// Replaces the upper triangle of matrix = U'U by U;
// rows of directions without curvature become 0.
void factor_in_place(std::span<double> matrix, std::size_t n) {
  assert(matrix.size() == n * n);
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    largest = std::max(largest, matrix[i * n + i]);
  }
  for (std::size_t k = 0; k < n; ++k) {
    double* const row = &matrix[k * n];
    if (!(row[k] > 1e-9 * largest)) {
      std::fill(row + k, row + n, 0.0);
      continue;
    }
    row[k] = std::sqrt(row[k]);
    for (std::size_t j = k + 1; j < n; ++j) {
      row[j] /= row[k];
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      double* const other = &matrix[i * n];
      for (std::size_t j = i; j < n; ++j) {
        other[j] -= row[i] * row[j];
      }
    }
  }
}

// Sets right = (U'U)^-1 right; 0 in directions without curvature.
void solve_factored(std::span<const double> factor, std::span<double> right) {
  const std::size_t n = right.size();
  assert(factor.size() == n * n);
  const auto divide = [&](std::size_t i) {
    const double pivot = factor[i * n + i];
    right[i] = pivot > 0.0 ? right[i] / pivot : 0.0;
  };
  for (std::size_t i = 0; i < n; ++i) {
    divide(i);
    for (std::size_t k = i + 1; k < n; ++k) {
      right[k] -= factor[i * n + k] * right[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    divide(i);
    for (std::size_t k = 0; k < i; ++k) {
      right[k] -= factor[k * n + i] * right[i];
    }
  }
}

}  // namespace

void cholesky_solve(std::span<double> matrix, std::span<double> right) {
  factor_in_place(matrix, right.size());
  solve_factored(matrix, right);
}

}  // namespace oa::num
