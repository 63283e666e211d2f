#pragma once

#include "oa/solve/method/solver.h"

namespace oa::solve {

/// A short exact search.  Without a proof,
/// returns the best solution of several heuristics, with the bound of the exact search.
[[nodiscard]] SolverMaker make_automatic;

/// The number of reads of tabu search without a time limit.
inline constexpr int kProvingReads = 32;

/// An exact search; if a limit ends it, tabu search may improve the solution.
[[nodiscard]] SolverMaker make_proving;

}  // namespace oa::solve
