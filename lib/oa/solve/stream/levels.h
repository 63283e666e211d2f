#pragma once

#include "oa/solve/stream/image.h"

namespace oa::solve {

/// Like solve_image(), but for coefficients of several levels.
/// Methods with `searches_levels` first try a proof in levels (LevelSearch).
/// All methods solve problems without a proof as QUBOs of spins,
/// whose solutions may violate the encoding.  Bounds hold for valid spins.
[[nodiscard]] qubo::SolvedProblem solve_levels(qubo::Problem problem,
                                               const ImageSettings& settings,
                                               const Rng& rng);

}  // namespace oa::solve
