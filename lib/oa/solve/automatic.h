#pragma once

#include "oa/solve/method/solver.h"

namespace oa::solve {

/// A short exact search; if it proves nothing, the best of several heuristics, with the
/// bound of the exact search.
[[nodiscard]] SolverMaker make_automatic;

/// Reads of tabu search if there is no time limit.
inline constexpr int kProvingReads = 32;

/// An exact search; if a limit ends it, tabu search may improve the solution.
[[nodiscard]] SolverMaker make_proving;

}  // namespace oa::solve
