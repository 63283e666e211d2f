#pragma once

#include "oa/solve/lattice/least_squares.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/stop.h"

#include <optional>

namespace oa::solve {

/// Values of `width` for rounded() that take about 5 ms and 0.3 s.
inline constexpr int kStartWidth = 64;
inline constexpr int kLongWidth = 1024;

/// Rounds least squares: decides one number after another and keeps the `width` best
/// partial vectors (K-best detection); also rounds the minimum over all reals.
/// Tries several ridges with at most kStartWidth, then the best ridge with `width`.
/// Returns the best vector, with its exact energy.  O(m^3 + m^2 width).
[[nodiscard]] Solution rounded(const qubo::Quadratic& f,
                               const LeastSquares& squares,
                               int width,
                               const Stop& stop);

/// A start for heuristics, in milliseconds.
/// Empty if f is not least squares over the numbers of its structure.
[[nodiscard]] std::optional<Solution> rounded_start(const qubo::Quadratic& f,
                                                    const Structure& structure,
                                                    const Stop& stop = {});

}  // namespace oa::solve
