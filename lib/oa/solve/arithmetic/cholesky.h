#pragma once

#include "oa/solve/method/stop.h"

#include <span>

namespace oa::solve {

/// Replaces the lower triangle of a symmetric (n,n) matrix, stored by columns, by its
/// lower Cholesky factor; keeps the upper triangle.  Returns false if the matrix is not
/// positive definite, as computed, or if stopped.
[[nodiscard]] bool cholesky(std::span<double> a, int n, const Stop& stop);

/// A symmetric sparse matrix.  Column k has entries begin[k] to begin[k + 1] - 1,
/// in the rows `row`.  Only the upper triangle is read.
struct SparseColumns {
  std::span<const int> begin;
  std::span<const int> row;
  std::span<const double> value;
};

/// True if the matrix has a Cholesky factor, as computed, with columns in this order.
/// False if stopped.
[[nodiscard]] bool has_cholesky(const SparseColumns& a, const Stop& stop);

}  // namespace oa::solve
