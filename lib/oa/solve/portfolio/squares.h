#pragma once

#include "oa/base/rng.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/recover/squares.h"

namespace oa::solve {

/// Searches task.f with its squares as constraints, in rounds of growing length until
/// the time limit: by chains (program/chains.h) and prices (program/exchange.h),
/// and first by states and products.  Evaluates solutions on task.f.
///
/// The bound holds for task.f: a feasible x is no lower than the program's optimum,
/// and an infeasible x no lower than the minimum of the rest plus the smallest penalty,
/// or than the best x if products prove that.
/// If this bound decides, or if an infeasible x is better,
/// task.recovered describes the penalties.
[[nodiscard]] Result solve_squares(const PartTask& task,
                                   const Squares& squares,
                                   const Rng& rng,
                                   const Stop& stop);

}  // namespace oa::solve
