#pragma once

#include "oa/solve/method/solver.h"

namespace oa::solve {

// Branch and bound over boxes (Exact).

/// For the problems of an image.
[[nodiscard]] SolverMaker make_exact;

/// For a single problem; begins at `task.known`.
[[nodiscard]] Result search_boxes(const PartTask& task, const Stop& stop);

}  // namespace oa::solve
