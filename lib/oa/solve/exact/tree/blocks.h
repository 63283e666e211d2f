#pragma once

#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"

#include <functional>
#include <optional>

namespace oa::solve {

/// A function that solves a problem, or part of one.
using PartProver = std::function<Result(const PartTask&, const Stop&)>;

/// Solves a problem whose graph has cut vertices, which separate it into blocks.
/// The head of a block is the variable that attaches it.
/// If `prove_block` proves the optima of a block for both values of its head,
/// the block becomes a linear term of the head.  The largest block stays.
/// `solve_rest` solves the remaining problem.  Finds any optimum.
///
/// Blocks get `share` of the time.
/// Empty if there is no cut vertex, or if no block was proved.
[[nodiscard]] std::optional<Result> solve_by_blocks(const PartTask& task,
                                                    const PartProver& prove_block,
                                                    const PartProver& solve_rest,
                                                    double share,
                                                    const Stop& stop);

}  // namespace oa::solve
