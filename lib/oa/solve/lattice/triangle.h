#pragma once

#include "oa/solve/lattice/least_squares.h"

#include <vector>

namespace oa::solve {

/// Least squares in triangular form, for an order of the numbers:
///   model(z) = constant + sum_k ((Rz)_k - t_k)^2 + curve_k z_k^2 + slope_k z_k,
/// with an upper triangular R.  The last place is decided first.
struct Triangle {
  std::vector<int> order;                   ///< the number at each place
  std::vector<double> r;                    ///< (size,size) by rows
  std::vector<double> target;               ///< t
  std::vector<double> curve;                ///< corrects the ridge and rounding
  std::vector<double> slope;                ///< part of g outside the range of R
  std::vector<std::vector<double>> values;  ///< levels at each place
  double constant = 0.0;
  double error = 0.0;  ///< maximum of |f - computed sum|

  [[nodiscard]] int size() const { return static_cast<int>(order.size()); }
};

/// Returns the mean of G_jj var(z_j), the power of a signal.
[[nodiscard]] double power_of(const LeastSquares& squares);

/// Factorises G + ridge / variance(z_j) in V-BLAST order (Wolniansky et al.
/// 1998): next decides the number of least variance,
/// relative to the distance of its levels.  O(m^3).
[[nodiscard]] Triangle triangle_of(const LeastSquares& squares, double ridge);

/// Factorises G.  The target is R times y, the minimum between lowest and highest
/// levels.  So `slope` is the gradient at y: nonzero only where y is at an end, where
/// inner levels cost more.  Such numbers are decided first, steepest first.  O(m^3).
[[nodiscard]] Triangle centred_triangle_of(const LeastSquares& squares);

}  // namespace oa::solve
