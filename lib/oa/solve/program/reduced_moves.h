#pragma once

#include "oa/solve/method/stop.h"
#include "oa/solve/program/bundles.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A change of the numbers of some bundles.
struct NumberMove {
  struct Change {
    std::int32_t bundle;
    std::int32_t by;
  };
  std::vector<Change> changes;
};

/// Moves of bundles that rows connect.
struct ReducedMoves {
  std::vector<NumberMove> moves;
  double cost = 0.0;  ///< mean cost of a move by couplings, from 0
};

/// Finds moves that change several numbers and cost little, although a change of one
/// number costs much.  An example is a pair of assets that hedge each other.
/// Each set of connected bundles gets the vectors of an LLL-reduced basis of its
/// couplings.  The function skips sets that are too small or too large, and sets whose
/// couplings are not positive definite.  `rows` lists the bundles of each row.
/// Returns no moves after a stop.
[[nodiscard]] std::vector<ReducedMoves> reduced_moves(
    const Bundles& bundles,
    std::span<const std::vector<std::int32_t>> rows,
    const Stop& stop);

}  // namespace oa::solve
