#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

namespace oa::solve {

/// Returns a lower bound of f over 0/1 vectors, rounding included:
/// close to the semidefinite relaxation of the spin form (Goemans and Williamson 1995),
/// as time allows.  Returns -inf if there is no time.
[[nodiscard]] double spin_bound(const qubo::Quadratic& f, const Stop& stop);

/// The approximate time of spin_bound(): O(n^3) below 2048 variables,
/// less for larger problems with few pairs, otherwise infinity.
[[nodiscard]] double spin_bound_seconds(const qubo::Quadratic& f);

}  // namespace oa::solve
