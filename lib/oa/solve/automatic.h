#pragma once

#include "oa/solve/method/solver.h"

namespace oa::solve {

/// Exact as long as that is quick; else the best of the heuristics, with what the exact
/// search has proved so far.
[[nodiscard]] SolverMaker make_automatic;

}  // namespace oa::solve
