#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

namespace oa::solve {

/// A lower bound of f over 0/1 vectors, rounding included: nearly that of the
/// semidefinite relaxation of its spin form (Goemans and Williamson 1995), as far as
/// time allows. -inf if there is no time for any.
[[nodiscard]] double spin_bound(const qubo::Quadratic& f, const Stop& stop);

/// The approximate time of spin_bound(): O(n^3) below 2048 variables, less for larger
/// problems with few pairs, infinity for others.
[[nodiscard]] double spin_bound_seconds(const qubo::Quadratic& f);

}  // namespace oa::solve
