#pragma once

#include "oa/solve/lattice/least_squares.h"

#include <vector>

namespace oa::solve {

/// Least squares in triangular form, in an order of the numbers:
///   model(z) = constant + sum_k ((Rz)_k - t_k)^2 + curve_k z_k^2 + slope_k z_k,
/// with an upper triangular R.  Numbers at the end are decided first.
struct Triangle {
  std::vector<int> order;      ///< the number at each place
  std::vector<double> r;       ///< (size,size) by rows
  std::vector<double> target;  ///< t
  std::vector<double> curve;   ///< what G + ridge added, and rounding errors
  std::vector<double> slope;   ///< the part of g outside of the range of R
  std::vector<std::vector<double>> values;  ///< levels at each place
  double constant = 0.0;
  double error = 0.0;  ///< the most that f differs from the computed sum

  [[nodiscard]] int size() const { return static_cast<int>(order.size()); }
};

/// The mean of G_jj times the variance of z_j: the power of a signal.
[[nodiscard]] double power_of(const LeastSquares& squares);

/// Factorises G + ridge / variance(z_j).  The order is that of V-BLAST (Wolniansky et
/// al. 1998): of the numbers left, the one of least variance relative to the distance
/// of its levels is decided first.  O(m^3).
[[nodiscard]] Triangle triangle_of(const LeastSquares& squares, double ridge);

/// Factorises G.  The target is R times the minimum y between the lowest and the
/// highest levels, so that `slope` is the gradient there: at the ends of the levels it
/// adds to the cost of all others.  These numbers are decided first, the steepest one
/// before others.  O(m^3).
[[nodiscard]] Triangle centred_triangle_of(const LeastSquares& squares);

}  // namespace oa::solve
