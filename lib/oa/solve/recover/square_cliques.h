#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/recover/square_rows.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// The largest coupling of a variable whose largest couplings may be those of a square:
/// for many pairs of them, with k and l, the number C_ik C_il / C_kl is nearly the
/// same, 2 P a_i^2, and few say a negative one.  0 for other variables.  O(couplings of
/// i).
[[nodiscard]] double largest_in_clique(const qubo::Quadratic& f, std::int32_t i);

/// A square over i whose couplings are nearly 2 P a_k a_l for all its pairs; `right` is
/// not set.  P is the median of what its couplings say.
[[nodiscard]] std::optional<FoundSquare> clique_with(SquareRows& rows, std::int32_t i);

/// The sum of each square's entries where the rest and all squares together are least,
/// over fractions from 0 to 1.  Its linear terms have those of the squares.  Large
/// penalties bring sums near to the right sides that they were made from.
[[nodiscard]] std::vector<double> fractional_sums(SquareRows& rows,
                                                  std::span<const std::int64_t> linear,
                                                  std::span<const FoundSquare> squares,
                                                  Pace& pace);

}  // namespace oa::solve
