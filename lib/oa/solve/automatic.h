#pragma once

#include "oa/solve/method/solver.h"

namespace oa::solve {

/// A short exact search; if it proves nothing, the best of several heuristics with the
/// bound of the exact search.
[[nodiscard]] SolverMaker make_automatic;

/// Reads of tabu search without a time limit.
inline constexpr int kProvingReads = 32;

/// An exact search; if its limits end it, tabu search may find a better solution.
[[nodiscard]] SolverMaker make_proving;

}  // namespace oa::solve
