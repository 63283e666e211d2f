#pragma once

#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"

#include <functional>
#include <optional>

namespace oa::solve {

/// Solves a problem, or part of one.
using PartProver = std::function<Result(const PartTask&, const Stop&)>;

/// Solves a problem whose graph has cut vertices: variables without which it falls
/// apart.  A block is a part that no cut vertex divides.  All but the largest are
/// minimised away where `prove_block` proves their optimum for both values of the
/// variable at which they hang: what is left of them is a term of that variable.  What
/// is left of all goes to `solve_rest`, and so do blocks without proof.  The result is
/// one of several optima, any.
///
/// `share` of the time is for the blocks, and most of that for any of them.
/// Nothing if there is no cut vertex, or if no block was minimised away.
[[nodiscard]] std::optional<Result> solve_by_blocks(const PartTask& task,
                                                    const PartProver& prove_block,
                                                    const PartProver& solve_rest,
                                                    double share,
                                                    const Stop& stop);

}  // namespace oa::solve
