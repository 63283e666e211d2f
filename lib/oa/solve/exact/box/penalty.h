#pragma once

#include "oa/qubo/problem.h"

#include <vector>

namespace oa::solve {

/// For each coefficient of each query a penalty with which every optimum of its QUBO is
/// valid, whatever the other coefficients' spins are; as h.  Empty where the encoding
/// violates nothing.
///
/// One-hot.  Let N be the top level, v the sums that some spins y say, v' = min(v, N)
/// what they are repaired to, and D a diagonal with J + D positive semidefinite.  Then,
/// in levels and with q steps,
///   E(v) - E(v') >= sum of (v_i - v'_i) (g_i - 1/2 D_i (v_i - v'_i)),
///   g_i >= q h_i + J_ii N + N sum over k != i of min(0, J_ik),
/// where v_i > v'_i = N: a function that is convex lies above its tangent at v', where
/// no level exceeds N.  So a violated choice of s spins, whose sum is at most that of
/// the s largest weights, gains at most
///   (v_i - N) (1/2 D_i (v_i - N) - g_i)
/// and its penalty counts s (s - 1) / 2 times.  Where nothing can be gained any
/// positive penalty will do, as it does for domain-wall, whose spins say the same sum
/// in every order.
///
/// A penalty is at least 1/64 of the largest number of its coefficient's spins: two
/// steps of 8 bits, so that it does not vanish there.
[[nodiscard]] std::vector<float> proved_penalties(const qubo::Problem& problem);

}  // namespace oa::solve
