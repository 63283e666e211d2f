#pragma once

#include "oa/solve/method/stop.h"

#include <functional>
#include <span>

namespace oa::solve {

/// Steps after which the lowest eigenvalue of a large matrix suits a bound.
inline constexpr int kLanczosSteps = 80;

/// Estimates the lowest eigenvalue of a symmetric (n,n) matrix by Lanczos steps,
/// which err slightly upward. multiply(v, out) sets out to the matrix times v.
/// A stop ends the steps early.
[[nodiscard]] double lowest_eigenvalue(
    int n,
    int steps,
    const std::function<void(std::span<const double>, std::span<double>)>& multiply,
    const Stop& stop);

/// Does the same for a dense row-major matrix.
[[nodiscard]] double lowest_eigenvalue(int n,
                                       int steps,
                                       std::span<const double> matrix,
                                       const Stop& stop);

}  // namespace oa::solve
