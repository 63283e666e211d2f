#pragma once

#include "oa/solve/lattice/least_squares.h"
#include "oa/solve/method/solver.h"

namespace oa::solve {

/// Sphere decoder: a depth-first search that decides one number after the other, the
/// nearest level first (Schnorr and Euchner 1994), and drops beginnings whose squares
/// exceed those of the best vector known by more than all rounding errors.  Squares are
/// those of distances from the minimum over real numbers between the lowest and the
/// highest levels; see centred_triangle_of().
/// ProvedOptimal, or Stopped after settings.max_nodes with the best found.  `squares`
/// are those of task.f.
[[nodiscard]] Result search_sphere(const PartTask& task,
                                   const LeastSquares& squares,
                                   const Stop& stop);

}  // namespace oa::solve
