#pragma once

#include "oa/qubo/problem.h"

#include <vector>

namespace oa::solve {

/// Penalties for each coefficient of each query, with which every optimum of its QUBO
/// is valid, for any spins of the other coefficients; ordered as h.  Empty if the
/// encoding needs none.
///
/// One-hot.  Let N be the top level, v the sums of weights of some spins y, v' = min(v,
/// N) their repaired values, and D a diagonal with J + D positive semidefinite.  Then,
/// in levels and with q steps,
///   E(v) - E(v') >= sum of (v_i - v'_i) (g_i - 1/2 D_i (v_i - v'_i)),
///   g_i >= q h_i + J_ii N + N sum over k != i of min(0, J_ik),
/// where v_i > v'_i = N: a convex function lies above its tangent at v', and no level
/// of v' exceeds N.  So a violated choice of s spins, whose sum is at most that of the
/// s largest weights, gains at most
///   (v_i - N) (1/2 D_i (v_i - N) - g_i),
/// and its penalty counts s (s - 1) / 2 times.  If nothing can be gained, any positive
/// penalty works.  The same holds for domain-wall, in which the order of spins does not
/// change the sum.
///
/// A penalty is at least 1/64 of the largest coefficient of its spins: two steps of 8
/// bits, so that rounding to 8 bits keeps it.
[[nodiscard]] std::vector<float> proved_penalties(const qubo::Problem& problem);

}  // namespace oa::solve
