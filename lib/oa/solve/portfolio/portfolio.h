#pragma once

#include "oa/solve/method/solver.h"

namespace oa::solve {

/// A short annealing, then a proof if the problem is small enough, then annealing for
/// the rest of the time.
[[nodiscard]] PartSolver solve_portfolio;

/// A proof; if its limits end it, tabu search may find a better solution.
[[nodiscard]] PartSolver solve_proving;

}  // namespace oa::solve
