#pragma once

#include "oa/solve/method/stop.h"

#include <span>

namespace oa::solve {

/// Puts the lower Cholesky factor of a symmetric matrix of n rows, column by column, in
/// place of its lower triangle; what is above stays.  False if it has none, as
/// computed, or if stopped.
[[nodiscard]] bool cholesky(std::span<double> a, int n, const Stop& stop);

/// A symmetric sparse matrix: column k has the entries begin[k] to begin[k + 1] - 1, in
/// the rows `row`.  Below the diagonal nothing is read.
struct SparseColumns {
  std::span<const int> begin;
  std::span<const int> row;
  std::span<const double> value;
};

/// Whether the matrix has a Cholesky factor, as computed in the order of its columns;
/// false, too, if stopped.
[[nodiscard]] bool has_cholesky(const SparseColumns& a, const Stop& stop);

}  // namespace oa::solve
