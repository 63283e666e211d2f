#pragma once

#include "oa/qubo/quadratic.h"

namespace oa::solve {

/// A lower bound of sign * f: every term at its minimum, rounded down.  O(n + pairs).
[[nodiscard]] double simple_bound(const qubo::Quadratic& f, double sign = 1.0);

}  // namespace oa::solve
