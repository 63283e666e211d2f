#pragma once

#include "oa/solve/method/stop.h"

#include <functional>
#include <span>

namespace oa::solve {

/// Steps that find the lowest eigenvalue of a large matrix closely enough for a bound.
inline constexpr int kLanczosSteps = 80;

/// The lowest eigenvalue of a symmetric (n,n) matrix by Lanczos steps, which err
/// slightly upward.  Does fewer steps if stopped. multiply(v, out) computes the matrix
/// times v.
[[nodiscard]] double lowest_eigenvalue(
    int n,
    int steps,
    const std::function<void(std::span<const double>, std::span<double>)>& multiply,
    const Stop& stop);

/// The same for a dense row-major matrix.
[[nodiscard]] double lowest_eigenvalue(int n,
                                       int steps,
                                       std::span<const double> matrix,
                                       const Stop& stop);

}  // namespace oa::solve
