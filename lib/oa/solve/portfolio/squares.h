#pragma once

#include "oa/base/rng.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/recover/squares.h"

namespace oa::solve {

/// Searches task.f under its squares as constraints, in rounds of reads that become
/// longer, until the time limit if there is one: by chains (program/chains.h) and by
/// prices (program/exchange.h), and first by states if the program is small.  Solutions
/// are evaluated on task.f.
///
/// The bound holds for task.f.  An x that satisfies all squares is no lower than the
/// optimum of the program, and any other no lower than the least value of the rest plus
/// the smallest penalty.  If that decides, or a violating x is better, task.recovered
/// says what the penalties do.
[[nodiscard]] Result solve_squares(const PartTask& task,
                                   const Squares& squares,
                                   const Rng& rng,
                                   const Stop& stop);

}  // namespace oa::solve
