#pragma once

#include "oa/base/rng.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/recover/squares.h"

namespace oa::solve {

/// Searches task.f under its squares as constraints (program/exchange.h), in rounds of
/// reads that become longer; until the time limit if there is one.  Solutions are
/// evaluated on task.f.  The bound holds for task.f: squares are never below 0.
/// ProvedOptimal if the best is as low as that; any optimum is found then.
[[nodiscard]] Result solve_squares(const PartTask& task,
                                   const Squares& squares,
                                   const Rng& rng,
                                   const Stop& stop);

}  // namespace oa::solve
