#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"

#include <optional>

namespace oa::solve {

/// Solves, with proof, problems whose couplings are products, J_ik = K a_i a_k for all
/// pairs, with any linear terms, e.g. number partition and knapsack with slack.
///
/// Meet in the middle (Horowitz and Sahni, "Computing partitions with applications to
/// the knapsack problem", 1974).  Each half of the variables lists the distinct sums of
/// a, with the least value of each sum.  The left half matters to the right half only
/// by K times its sum, so the minimum over the right half is a lower envelope of lines.
/// Finds the lexicographically smallest minimum.
///
/// Empty if couplings are not products, if numbers exceed exact integers,
/// if lists would have more than 2^21 entries, or if stopped.
[[nodiscard]] std::optional<Result> solve_rank_one(const PartTask& task,
                                                   const Stop& stop);

}  // namespace oa::solve
