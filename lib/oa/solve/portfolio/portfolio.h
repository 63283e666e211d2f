#pragma once

#include "oa/solve/method/solver.h"

namespace oa::solve {

/// Anneals shortly, tries a proof if the problem is small enough,
/// then anneals for the remaining time.
[[nodiscard]] PartSolver solve_portfolio;

/// Tries a proof; if a limit ends it, tabu search may improve the solution.
[[nodiscard]] PartSolver solve_proving;

}  // namespace oa::solve
