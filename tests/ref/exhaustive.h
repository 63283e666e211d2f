#pragma once

#include "oa/qubo/matrix.h"
#include "oa/solve/method/result.h"

#include <span>
#include <vector>

namespace oa::ref {

/// The `top` best of all 2^n vectors, by trying each: the plain reference for solvers.
[[nodiscard]] std::vector<solve::Solution> exhaustive(const qubo::Matrix& j,
                                                      std::span<const double> h,
                                                      int top);

}  // namespace oa::ref
