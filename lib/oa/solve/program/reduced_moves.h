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

/// Finds moves that cost little although each number alone costs much, such as assets
/// that hedge each other: for each set of connected bundles, a reduced basis of the
/// lattice of whole numbers under their couplings.  Sets are left out if they are small
/// or large, or if couplings are no sum of squares.  `rows` lists the bundles of each
/// row.  Empty after a stop.
[[nodiscard]] std::vector<ReducedMoves> reduced_moves(
    const Bundles& bundles,
    std::span<const std::vector<std::int32_t>> rows,
    const Stop& stop);

}  // namespace oa::solve
