#pragma once

#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// For each variable of `f`, to be minimised over 0/1 vectors: 0 or 1 if some minimum
/// has all these values at once, else -1.  Roof duality (Hammer, Hansen and Simeone
/// 1984; Boros, Hammer, Sun and Tavares 2008): a maximum flow between literals that
/// imply each other.  In whole numbers: nothing is decided where weights are not small
/// multiples of one power of two, nor where the flow takes too much work.
[[nodiscard]] std::vector<std::int8_t> roof_persistencies(const qubo::Quadratic& f);

}  // namespace oa::solve
