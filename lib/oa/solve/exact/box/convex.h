#pragma once

#include "oa/qubo/matrix.h"
#include "oa/solve/exact/box/box.h"
#include "oa/solve/method/stop.h"

#include <span>

namespace oa::solve {

/// J + D with a diagonal D >= 0 that makes it positive semidefinite for certain,
/// rounding included.  If J is semidefinite up to its rounding errors, D is as small as
/// these (and `lifted` is false): O(n^2 rank).  Else D is as large as the smallest
/// eigenvalue requires: O(n^3).  If stopped, D is the sum of the magnitudes of each
/// row.
[[nodiscard]] Convex convexified(const qubo::Matrix& j, const Stop& stop = {});

/// The same with the D of dual_shift() for `h`: slower, and often a far better bound if
/// J is indefinite.
[[nodiscard]] Convex convexified(const qubo::Matrix& j,
                                 std::span<const double> h,
                                 const Stop& stop = {});

/// J without a shift if J needs none: for minima over the box, which D would move.
[[nodiscard]] Convex convex_as_it_is(const qubo::Matrix& j, const Stop& stop);

/// The rows and columns of some variables of a convex matrix.
[[nodiscard]] Convex restricted(const Convex& q, std::span<const int> variables);

}  // namespace oa::solve
