#pragma once

#include "oa/solve/polynomial/task.h"

#include <cstdint>
#include <span>

namespace oa::solve {

/// Depth-first branch and bound with a PenaltyBound, in whole numbers.  Proves first
/// that no x is much better than the bound of the root, then more and more, so that a
/// search that is cut short has a bound, too.
///
/// Begins at `known`.  Ends after settings.max_nodes, and after `work` numbers that it
/// touched, about 1 ns each.  ProvedOptimal, or Stopped with a valid bound.  With
/// settings.top above 1 it finds the lexicographically smallest of equal solutions, else
/// any.  One thread.
[[nodiscard]] Result search_penalties(const PolynomialTask& task,
                                      std::span<const std::uint8_t> known,
                                      std::int64_t work,
                                      const Stop& stop);

}  // namespace oa::solve
