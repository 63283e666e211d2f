#pragma once

#include "oa/qubo/program.h"

#include <cstdint>
#include <vector>

namespace oa::qubo {

/// How a penalised function ranks an x that violates a constraint.
enum class Penalties : std::uint8_t {
  Least,   ///< it is worse than the optimum, if any x satisfies all constraints
  Ordered  ///< it is worse than every x that satisfies all constraints
};

/// A penalty for each row, 0 if it always holds; a violation of 1 costs it once, a
/// larger one at least as much.  O(n log n) of all entries.
///
/// Ordered: the power of two above the range of the objective, the sum of the
/// magnitudes of its weights.
///
/// Least, lemma: let every x that violates a row have a flip that makes the row's cost
/// lower by its penalty or more, no other row's cost higher, and the objective higher
/// by less than the penalty.  Then x is no minimum, since the flip is better.  If rows
/// without such flips have penalties above the range, flips lead from x to a better
/// one that satisfies all rows or violates one above the range.  So each minimum
/// satisfies all rows if any x does.
///
/// Flips that help are those towards the row's range and not past its other end.  The x
/// that violates a row permits some: where flips are sorted by how much they raise the
/// objective, largest first, those that x excludes have sizes whose sum is limited.
/// The first beyond the limit bounds the cheapest one that remains: for x + y <= 1, the
/// penalty is above the smaller gain of x and y.
///
/// Assignments, whose flips harm the other side, have moves of up to three flips.  Let
/// u and d bound the increase by a flip to 1 and to 0.
///   All rows and columns sum to 1, as many of each: 2 P > max(u, d, u + d, u + 2d).
///   A pair without a 1 gets one.  Where only a row has none, a 1 of a row with several
///   moves to it in its column.  Else a 1 whose row and column have several goes, or
///   two ones, of a row i and a column j with several: (i, l) and (k, j) become (k, l).
///   Each lowers the violation by 2.
///   Rows sum to 1, columns to at most 1, no fewer of them: P > max(u, d, u + d).  A
///   row without a 1 gets one in an empty column, or as before.  Else a 1 of a row with
///   several goes, or one of a column with several moves to an empty column.
///
/// Penalties are whole numbers if the objective's weights are, else they have 8 bits,
/// and none is below the smallest weight: that would cost the function more bits.
[[nodiscard]] std::vector<double> penalties_of(const Program& program, Penalties kind);

}  // namespace oa::qubo
