#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

namespace oa::solve {

/// A number that no value of f at a 0/1 vector is below, rounding included: about the
/// bound of the semidefinite relaxation of its spin form (Goemans and Williamson 1995),
/// or as near as there is time to come.  -inf if there is not the time for any.
[[nodiscard]] double spin_bound(const qubo::Quadratic& f, const Stop& stop);

/// How long that takes, roughly: O(n^3) below 2048 variables, less for larger ones with
/// few pairs, and infinity for others.
[[nodiscard]] double spin_bound_seconds(const qubo::Quadratic& f);

}  // namespace oa::solve
