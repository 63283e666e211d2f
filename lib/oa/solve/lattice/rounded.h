#pragma once

#include "oa/solve/lattice/least_squares.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/stop.h"

#include <optional>

namespace oa::solve {

/// Widths that take about 5 ms, and about 0.3 s.
inline constexpr int kStartWidth = 64;
inline constexpr int kLongWidth = 1024;

/// Rounds least squares: decides the numbers one after the other and keeps the `width`
/// best beginnings (K-best detection); also rounds the minimum over all reals.  Does so
/// for some strengths of a ridge with at most kStartWidth, then with `width` for the
/// best of them.  The best vector found, with its exact energy.  O(m^3 + m^2 width).
[[nodiscard]] Solution rounded(const qubo::Quadratic& f,
                               const LeastSquares& squares,
                               int width,
                               const Stop& stop);

/// A start for heuristics, in milliseconds; nothing if f is not least squares over
/// numbers of this structure.
[[nodiscard]] std::optional<Solution> rounded_start(const qubo::Quadratic& f,
                                                    const Structure& structure,
                                                    const Stop& stop = {});

}  // namespace oa::solve
