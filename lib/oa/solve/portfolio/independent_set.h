#pragma once

#include "oa/solve/method/solver.h"
#include "oa/solve/recover/conflicts.h"

namespace oa::solve {

/// True if solve_independent_set() suits:
/// there are no further couplings, and the graph is not both large and sparse.
[[nodiscard]] bool suits_independent_set(const Conflicts& conflicts);

/// Runs local search, then search_conflicts() if a proof is feasible,
/// then local search for the remaining time.  `conflicts` must belong to task.f.
[[nodiscard]] Result solve_independent_set(const PartTask& task,
                                           const Conflicts& conflicts,
                                           const Rng& rng,
                                           const Stop& stop);

}  // namespace oa::solve
