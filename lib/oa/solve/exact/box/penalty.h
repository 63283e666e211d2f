#pragma once

#include "oa/qubo/problem.h"

#include <vector>

namespace oa::solve {

/// Returns penalties, in the order of h, for which every optimum of each query's QUBO
/// is a valid encoding, for any spins of the other coefficients.
/// Empty if the encoding needs no penalty.
///
/// One-hot.  Let N be the top level, v the weighted sums of spins y, v' = min(v,
/// N) their repaired values, and D a diagonal with J + D positive semidefinite.
/// In levels, with q steps,
///   E(v) - E(v') >= sum of (v_i - v'_i) (g_i - 1/2 D_i (v_i - v'_i)),
///   g_i >= q h_i + J_ii N + N sum over k != i of min(0, J_ik),
/// where v_i > v'_i = N: a convex function lies above its tangent at v', whose levels
/// are at most N.  The sum of s ones is at most that of the s largest weights.
/// So a violation with s ones gains at most
///   (v_i - N) (1/2 D_i (v_i - N) - g_i),
/// and its penalty counts s (s - 1) / 2 times.
/// If no gain is possible, any positive penalty works.
/// Domain-wall encodings need equal penalties, as sums ignore the order of spins.
///
/// A penalty is at least 1/64 of the largest coefficient of its spins:
/// two steps of 8 bits, which rounding to 8 bits preserves.
[[nodiscard]] std::vector<float> proved_penalties(const qubo::Problem& problem);

}  // namespace oa::solve
