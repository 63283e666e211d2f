#pragma once

#include "oa/solve/method/solver.h"

namespace oa::solve {

// Branch and bound over boxes (Exact).

/// The solver for problems of an image.
[[nodiscard]] SolverMaker make_exact;

/// Solves a single problem; starts at `task.known`.
[[nodiscard]] Result search_boxes(const PartTask& task, const Stop& stop);

}  // namespace oa::solve
