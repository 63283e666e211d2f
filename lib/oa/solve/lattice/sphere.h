#pragma once

#include "oa/solve/lattice/least_squares.h"
#include "oa/solve/method/solver.h"

namespace oa::solve {

/// Sphere decoder: depth-first search that decides one number after another,
/// nearest level first (Schnorr and Euchner 1994).  Drops a partial vector if its
/// squares exceed those of the best vector by more than all rounding errors.
/// Squares measure the distance from the minimum over reals between lowest and highest
/// levels (centred_triangle_of()).  Returns ProvedOptimal, or Stopped after
/// settings.max_nodes with the best solution.  `squares` must belong to task.f.
[[nodiscard]] Result search_sphere(const PartTask& task,
                                   const LeastSquares& squares,
                                   const Stop& stop);

}  // namespace oa::solve
