#pragma once

#include "oa/solve/method/solver.h"

namespace oa::solve {

/// A short annealing, then a proof where the problem is small enough for one, then
/// annealing for as long as there is time.
[[nodiscard]] PartSolver solve_portfolio;

}  // namespace oa::solve
