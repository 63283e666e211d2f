#pragma once

#include "oa/solve/stream/image.h"

namespace oa::solve {

/// solve_image() where coefficients have levels.  The first method of all, which
/// chooses for itself, searches the levels with proof (LevelSearch); what that does not
/// prove in some million nodes, and all that other methods solve, are QUBOs of spins.
/// Of these the methods' answers may violate the encoding; those of the first are
/// always valid.
///
/// Bounds are those of valid spins.
[[nodiscard]] qubo::SolvedProblem solve_levels(qubo::Problem problem,
                                               const ImageSettings& settings,
                                               const Rng& rng);

}  // namespace oa::solve
