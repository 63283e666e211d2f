#pragma once

#include "oa/solve/method/stop.h"
#include "oa/solve/program/state_tables.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::solve {

struct StatesFound {
  std::vector<std::uint8_t> x;  ///< better than what was known; empty: nothing
  /// No x that satisfies the rows has a lower value, without the constant.  The value
  /// of the best, if that is proved optimal.  Nothing: there is no such x.
  std::optional<Whole> bound;
  bool proved = false;      ///< x or what was known is optimal, or nothing is feasible
  std::int64_t states = 0;  ///< that were made
};

/// Dynamic programming over the variables of a program, one after the other.  A state
/// is what matters to the rest: the sums of rows so far, and the variables that share a
/// product with later ones.  Of two equal states the one of lower value stays.  States
/// go that no completion satisfies, or whose Lagrangian bound is no better than the
/// best solution known.  Where there are more than `width`, those of least bound stay,
/// and the least bound of the others makes the result a bound and no proof.  All
/// numbers are whole.  `known` is the value of a solution.
[[nodiscard]] StatesFound search_states(const StateTables& tables,
                                        std::optional<Whole> known,
                                        std::size_t width,
                                        const Stop& stop);

}  // namespace oa::solve
