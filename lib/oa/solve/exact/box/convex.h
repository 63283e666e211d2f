#pragma once

#include "oa/qubo/matrix.h"
#include "oa/solve/exact/box/box.h"
#include "oa/solve/method/stop.h"

#include <span>

namespace oa::solve {

/// Returns J + D with a diagonal D >= 0 that makes the sum positive semidefinite for
/// certain, rounding included.  If J is semidefinite up to rounding errors, D has their
/// size, and `lifted` is false: O(n^2 rank).  Otherwise the smallest eigenvalue
/// determines D: O(n^3).  If stopped, D_ii is the sum of magnitudes of row i.
[[nodiscard]] Convex convexified(const qubo::Matrix& j, const Stop& stop = {});

/// convexified() with dual_shift() for `h`:
/// slower, but often a far better bound if J is indefinite.
[[nodiscard]] Convex convexified(const qubo::Matrix& j,
                                 std::span<const double> h,
                                 const Stop& stop = {});

/// J, without a shift if J needs none: for minima over the box, which D would move.
[[nodiscard]] Convex convex_as_it_is(const qubo::Matrix& j, const Stop& stop);

/// Returns the rows and columns `variables` of a convex matrix.
[[nodiscard]] Convex restricted(const Convex& q, std::span<const int> variables);

}  // namespace oa::solve
