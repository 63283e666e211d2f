#pragma once

#include "oa/solve/method/solver.h"
#include "oa/solve/recover/conflicts.h"

namespace oa::solve {

/// True if solve_independent_set() takes these conflicts: without further couplings,
/// in a graph that is not both large and sparse.
[[nodiscard]] bool suits_independent_set(const Conflicts& conflicts);

/// Local search, then a proof by search_conflicts() if it is not too large, then local
/// search for the rest of the time.  `conflicts` are those of task.f.
[[nodiscard]] Result solve_independent_set(const PartTask& task,
                                           const Conflicts& conflicts,
                                           const Rng& rng,
                                           const Stop& stop);

}  // namespace oa::solve
