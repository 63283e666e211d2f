#pragma once

#include "oa/qubo/program.h"

#include <cstdint>
#include <vector>

namespace oa::qubo {

/// How a penalised function ranks an x that violates some constraint.
enum class Penalties : std::uint8_t {
  Least,   ///< it is worse than the optimum, if a feasible x exists
  Ordered  ///< it is worse than every feasible x
};

/// Returns a penalty for each row, 0 if the row always holds.  A violation by 1 costs
/// the penalty, a larger violation at least as much.  O(n log n) in all entries.
///
/// Ordered: the power of two above the objective's range, which is the sum of the
/// magnitudes of its weights.
///
/// Least, lemma: suppose for every x that violates a row, some flip lowers the cost of
/// that row by at least its penalty, raises the cost of no other row, and raises the
/// objective by less than the penalty.  Then x is no minimum.  Rows without such flips
/// get penalties above the range: flips then lead to a better x that is feasible or
/// violates one of these rows.  So each minimum is feasible if any x is feasible.
///
/// A flip helps if it moves a row's sum toward its range and not beyond the other end.
/// To find the flips that every violating x allows,
/// sort helpful flips by their increase of the objective, largest first.
/// The sizes of flips that a violating x excludes have a limited sum.  So the first
/// flip beyond the limit bounds the cheapest flip.  E.g. x + y <= 1: the smaller gain.
///
/// Assignments: flips harm the other side, so moves have up to three flips.
/// Let u and d bound the increase by a flip to 1 and to 0, and let P be the penalty.
///   Equations, as many rows as columns: 2 P > max(u, d, u + d, u + 2d).  A pair
///   without a 1 gets one.  If only a row has no 1, a 1 of a row with several moves to
///   it in its column.  Else a 1 whose row and column have several becomes 0; or, if
///   row i and column j have several, ones at (i, l) and (k, j) become one at (k, l).
///   Each move lowers the violation by 2.
///   Rows equal 1, columns at most 1, no fewer columns: P > max(u, d, u + d).  A row
///   without a 1 gets a 1 in an empty column, or a 1 of a row with several, as above.
///   Else a 1 of a row with several becomes 0, or a 1 of a column with several moves to
///   an empty column.
///
/// Penalties are whole numbers if the objective's weights are, else they have 8 bits.
/// The smallest weight is their lower bound: smaller penalties would need more bits.
[[nodiscard]] std::vector<double> penalties_of(const Program& program, Penalties kind);

}  // namespace oa::qubo
