#pragma once

#include "oa/solve/method/stop.h"
#include "oa/solve/program/state_tables.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::solve {

struct StatesFound {
  std::vector<std::uint8_t> x;  ///< better than `known`; empty: none found
  /// A lower bound of all feasible x, without the constant; if `proved`, the optimum.
  /// Empty: proved infeasible.
  std::optional<Whole> bound;
  bool proved = false;      ///< proved optimal (x or the known one) or infeasible
  std::int64_t states = 0;  ///< number of states created
};

/// Dynamic programming over the variables of a program in order.  A state holds what
/// later variables depend on: the sums of rows, and variables that share a product with
/// later variables.  Of equal states, the one of lower value stays.  Drops states
/// without feasible completion, and states whose Lagrangian bound is no better than the
/// best solution.  Keeps at most `width` states of least bound; the least dropped bound
/// limits the proof.  All numbers are whole.  `known` is a solution's value.
[[nodiscard]] StatesFound search_states(const StateTables& tables,
                                        std::optional<Whole> known,
                                        std::size_t width,
                                        const Stop& stop);

}  // namespace oa::solve
