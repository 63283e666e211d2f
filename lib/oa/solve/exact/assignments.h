#pragma once

#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/recover/conflicts.h"

#include <optional>

namespace oa::solve {

/// Tries a proof by products (ProductSearch) for conflicts, which belong to task.f,
/// with further couplings: assignments, tours, colourings.  Starts at task.known.
/// Returns ProvedOptimal or a valid bound, and any optimum; empty if the method does
/// not suit.
[[nodiscard]] std::optional<Result> prove_assignments(const PartTask& task,
                                                      const Conflicts& conflicts,
                                                      const Stop& stop);

}  // namespace oa::solve
