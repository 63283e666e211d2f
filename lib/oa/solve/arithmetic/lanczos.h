#pragma once

#include "oa/solve/method/stop.h"

#include <functional>
#include <span>

namespace oa::solve {

/// Steps that bring the lowest eigenvalue of a large matrix near enough for a bound.
inline constexpr int kLanczosSteps = 80;

/// About the lowest eigenvalue of a symmetric matrix of n rows, by so many Lanczos
/// steps, which see it a little too high; fewer if stopped.  multiply(v, out) makes out
/// the matrix times v.
[[nodiscard]] double lowest_eigenvalue(
    int n,
    int steps,
    const std::function<void(std::span<const double>, std::span<double>)>& multiply,
    const Stop& stop);

/// Of a matrix whose rows lie one behind the other.
[[nodiscard]] double lowest_eigenvalue(int n,
                                       int steps,
                                       std::span<const double> matrix,
                                       const Stop& stop);

}  // namespace oa::solve
