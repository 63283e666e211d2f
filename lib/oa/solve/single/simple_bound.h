#pragma once

#include "oa/qubo/quadratic.h"

namespace oa::solve {

/// A lower bound of sign * f, rounded down: every term at its minimum.  O(n + pairs).
[[nodiscard]] double simple_bound(const qubo::Quadratic& f, double sign = 1.0);

}  // namespace oa::solve
