#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Minimises f over 0/1 vectors from x: repeatedly flips the variable that lowers f
/// most (the first of equals), until no flip lowers f, or until stopped.
/// A flip takes O(log n) per neighbour, or O(n).
[[nodiscard]] std::vector<std::uint8_t> descend(const qubo::Quadratic& f,
                                                std::vector<std::uint8_t> x,
                                                const Stop& stop);

/// Flips variables while that improves f in exact arithmetic, or until stopped.
/// Finds differences that rounding hides.
void descend_exactly(const qubo::Quadratic& f,
                     std::span<std::uint8_t> x,
                     const Stop& stop);

}  // namespace oa::solve
