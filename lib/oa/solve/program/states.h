#pragma once

#include "oa/solve/method/stop.h"
#include "oa/solve/program/state_tables.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::solve {

struct StatesFound {
  std::vector<std::uint8_t> x;  ///< better than `known`; empty: nothing better found
  /// A lower bound of the values of all x that satisfy the rows, without the constant;
  /// if `proved`, the optimum.  Nothing: it is proved that no x satisfies them.
  std::optional<Whole> bound;
  bool proved = false;  ///< x or the known solution is optimal, or nothing is feasible
  std::int64_t states = 0;  ///< how many were made
};

/// Dynamic programming over the variables of a program, one after the other.  A state
/// holds what later variables depend on: the sums of rows so far, and the variables
/// that share a product with later ones.  Of two equal states the one of lower value
/// stays. A state is dropped if no completion satisfies the rows, or if its Lagrangian
/// bound is no better than the best solution known.  If there are more than `width`
/// states, those with the least bounds stay; the least bound of the others limits what
/// is proved.  All numbers are whole.  `known` is the value of a solution.
[[nodiscard]] StatesFound search_states(const StateTables& tables,
                                        std::optional<Whole> known,
                                        std::size_t width,
                                        const Stop& stop);

}  // namespace oa::solve
