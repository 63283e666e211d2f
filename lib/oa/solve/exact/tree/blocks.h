#pragma once

#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"

#include <functional>
#include <optional>

namespace oa::solve {

/// Solves a problem, or part of one.
using PartProver = std::function<Result(const PartTask&, const Stop&)>;

/// Solves a problem whose graph has cut vertices, which separate it into blocks.  A
/// block, except for the largest, is minimised away if `prove_block` proves its optimum
/// for both values of the variable that attaches it: it becomes a linear term of this
/// variable.  The remaining problem goes to `solve_rest`.  Finds any of several optima.
///
/// Blocks get `share` of the time.  Nothing if there is no cut vertex, or if no block
/// was minimised away.
[[nodiscard]] std::optional<Result> solve_by_blocks(const PartTask& task,
                                                    const PartProver& prove_block,
                                                    const PartProver& solve_rest,
                                                    double share,
                                                    const Stop& stop);

}  // namespace oa::solve
