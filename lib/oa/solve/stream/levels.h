#pragma once

#include "oa/solve/stream/image.h"

namespace oa::solve {

/// solve_image() for coefficients of several levels.  Methods with `searches_levels`
/// first try a proof in levels (LevelSearch).  Unproved problems, and those of other
/// methods, are solved as QUBOs of spins.  Solutions of other methods may violate the
/// encoding.  Bounds hold for valid spins.
[[nodiscard]] qubo::SolvedProblem solve_levels(qubo::Problem problem,
                                               const ImageSettings& settings,
                                               const Rng& rng);

}  // namespace oa::solve
