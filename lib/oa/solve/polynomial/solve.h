#pragma once

#include "oa/solve/polynomial/task.h"

namespace oa::solve {

/// A proof if the polynomial is small enough, by enumeration; else, or if the time is
/// short, a search.
[[nodiscard]] PolynomialSolver solve_polynomial;

/// A proof.
[[nodiscard]] PolynomialSolver prove_polynomial;

}  // namespace oa::solve
