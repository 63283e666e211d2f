#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/recover/square_rows.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// Returns the largest coupling of variable i if its largest couplings C may come from
/// a square P (a'x - b)^2: C_ik C_il / C_kl = 2 P a_i^2 nearly agrees for many pairs k,
/// l, and is rarely negative.  Otherwise returns 0.  O(couplings of i).
[[nodiscard]] double largest_in_clique(const qubo::Quadratic& f, std::int32_t i);

/// Returns a square over i whose pairs k, l all have couplings of nearly 2 P a_k a_l.
/// P is the median of these couplings; `right` is not set.
[[nodiscard]] std::optional<FoundSquare> clique_with(SquareRows& rows, std::int32_t i);

/// Minimises the rest plus all squares over [0,1]^n, and returns each square's sum
/// there.  `linear` must include the linear terms of squares.
/// With large penalties, sums are close to the original right sides.
[[nodiscard]] std::vector<double> fractional_sums(SquareRows& rows,
                                                  std::span<const std::int64_t> linear,
                                                  std::span<const FoundSquare> squares,
                                                  Pace& pace);

/// Returns `count` local minima of f under single flips, from random starts;
/// at least one minimum if more would take too long.  Returns none after a stop.
[[nodiscard]] std::vector<std::vector<std::uint8_t>> local_minima(
    const qubo::Quadratic& f, int count, const Rng& rng, Pace& pace);

/// Returns the share of `minima` that satisfy s, not counting those where all variables
/// of s are 0 and s holds.  A square of the objective, such as a variance, fits
/// couplings as well as a constraint, but its sum varies.
[[nodiscard]] double holding_share(const FoundSquare& s,
                                   std::span<const std::vector<std::uint8_t>> minima);

}  // namespace oa::solve
