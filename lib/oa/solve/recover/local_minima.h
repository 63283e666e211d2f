#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/recover/square_rows.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

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
