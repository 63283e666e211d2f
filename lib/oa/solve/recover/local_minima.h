#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// Returns `count` local minima of f under single flips, from random starts;
/// at least one minimum if more would take too long.  Returns none after a stop.
[[nodiscard]] std::vector<std::vector<std::uint8_t>> local_minima(
    const qubo::Quadratic& f, int count, const Rng& rng, Pace& pace);

}  // namespace oa::solve
