#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Goes downhill from x: flips the variable that lowers f most, of several the first,
/// until none does or until stopped.  `f` is to be minimised over 0/1 vectors.  A flip
/// takes time for each neighbour, times the logarithm of n, or for n variables.
[[nodiscard]] std::vector<std::uint8_t> descend(const qubo::Quadratic& f,
                                                std::vector<std::uint8_t> x,
                                                const Stop& stop);

/// Flips what makes f better, in exact numbers, until nothing does or until stopped:
/// sees what is so small that it was rounded away.
void descend_exactly(const qubo::Quadratic& f,
                     std::span<std::uint8_t> x,
                     const Stop& stop);

}  // namespace oa::solve
