#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/recover/square_rows.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// The largest coupling of variable i if its largest couplings C may come from a
/// square: C_ik C_il / C_kl = 2 P a_i^2 nearly agrees for many pairs k, l, and is
/// rarely negative.  Else 0.  O(couplings of i).
[[nodiscard]] double largest_in_clique(const qubo::Quadratic& f, std::int32_t i);

/// Returns a square over i with couplings of nearly 2 P a_k a_l in all its pairs, P
/// their median; `right` is not set.
[[nodiscard]] std::optional<FoundSquare> clique_with(SquareRows& rows, std::int32_t i);

/// Returns each square's sum at the minimum of the rest plus all squares over [0,1]^n.
/// `linear` must include the squares' linear terms.  Large penalties bring sums close
/// to the original right sides.
[[nodiscard]] std::vector<double> fractional_sums(SquareRows& rows,
                                                  std::span<const std::int64_t> linear,
                                                  std::span<const FoundSquare> squares,
                                                  Pace& pace);

}  // namespace oa::solve
