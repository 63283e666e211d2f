#pragma once

#include "oa/qubo/matrix.h"
#include "oa/solve/exact/box/box.h"
#include "oa/solve/method/stop.h"

#include <span>

namespace oa::solve {

/// J + D with a diagonal D >= 0 that makes it positive semidefinite for certain,
/// rounding included.  D is of the size of J's rounding errors if J is semidefinite up
/// to these (then `lifted` is false), and of the size of its smallest eigenvalue
/// otherwise. O(n^2 rank) and O(n^3) respectively.  Stopped, D is what the magnitudes
/// of each row are together.
[[nodiscard]] Convex convexified(const qubo::Matrix& j, const Stop& stop = {});

/// The same with a D that suits `h` best, dual_shift(): slower to find, often a far
/// better bound where J is indefinite.
[[nodiscard]] Convex convexified(const qubo::Matrix& j,
                                 std::span<const double> h,
                                 const Stop& stop = {});

/// J itself where the first would not lift it: for minima over the box, which D moves.
[[nodiscard]] Convex convex_as_it_is(const qubo::Matrix& j, const Stop& stop);

/// The same for some of the variables of a matrix already made convex.
[[nodiscard]] Convex restricted(const Convex& q, std::span<const int> variables);

}  // namespace oa::solve
