#pragma once

#include "oa/solve/polynomial/task.h"

namespace oa::solve {

/// Enumerates or branches for a proof if the polynomial is small enough.
/// Otherwise, or if time is short, searches.
[[nodiscard]] PolynomialSolver solve_polynomial;

/// Proves the optimum.
[[nodiscard]] PolynomialSolver prove_polynomial;

}  // namespace oa::solve
