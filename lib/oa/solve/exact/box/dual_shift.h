#pragma once

#include "oa/qubo/matrix.h"
#include "oa/solve/method/stop.h"

#include <span>
#include <vector>

namespace oa::solve {

/// Returns the diagonal D of the dual of the semidefinite relaxation of a problem:
/// minimise 1/2 x'Jx + h'x over 0/1 vectors.  J + D is positive semidefinite up to a
/// small part of J, and the minimum of 1/2 x'(J + D)x + (h - d/2)'x over the box is
/// nearly maximal.  Some hundred passes of O(n^2.5).  If stopped, D is larger.
[[nodiscard]] std::vector<double> dual_shift(const qubo::Matrix& j,
                                             std::span<const double> h,
                                             const Stop& stop = {});

/// The approximate time of dual_shift() for n variables.
[[nodiscard]] double dual_shift_seconds(int n);

}  // namespace oa::solve
