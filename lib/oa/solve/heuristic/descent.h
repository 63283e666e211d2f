#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Descends from x: flips the variable that lowers f most (the first of several) until
/// none lowers it, or until stopped.  `f` is minimised over 0/1 vectors.  A flip takes
/// O(log n) for each neighbour, or O(n).
[[nodiscard]] std::vector<std::uint8_t> descend(const qubo::Quadratic& f,
                                                std::vector<std::uint8_t> x,
                                                const Stop& stop);

/// Flips variables that improve f in exact numbers until none does, or until stopped.
/// It sees differences that were rounded away.
void descend_exactly(const qubo::Quadratic& f,
                     std::span<std::uint8_t> x,
                     const Stop& stop);

}  // namespace oa::solve
