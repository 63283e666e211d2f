#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"

#include <optional>

namespace oa::solve {

/// Solves, with proof, a problem whose couplings are products: J_ik = K a_i a_k for all
/// pairs, with any linear terms.  Number partition and knapsack with slack are such.
///
/// Meet in the middle (Horowitz and Sahni, "Computing partitions with applications to
/// the knapsack problem", 1974): each half of the variables has a list of its sums of
/// a, with the least value of each sum.  A half sees of the other only K times its sum,
/// so that the minimum over the right half is a lower envelope of lines.  Finds the
/// lexicographically smallest minimum.
///
/// Nothing if the couplings are not products, numbers are too large for exact integers,
/// the lists would have more than 2^21 entries, or `stop` says so.
[[nodiscard]] std::optional<Result> solve_rank_one(const PartTask& task,
                                                   const Stop& stop);

}  // namespace oa::solve
