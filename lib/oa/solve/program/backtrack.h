#pragma once

#include "oa/qubo/program.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// The result of a search for an x that satisfies all rows.
struct Backtracked {
  std::optional<std::vector<std::uint8_t>> x;  ///< satisfies all rows
  bool decided = false;  ///< there is an x, or it is proved that none exists
};

/// Looks for an x of n variables that satisfies all rows: a search in depth that gives
/// variables the values that rows force.  It branches in the row with the least ratio
/// of open variables to failures (dom/wdeg, Boussemart et al., "Boosting systematic
/// search by weighting constraints", 2004).  It restarts after a growing number of
/// failures, and ends after about `failures` in all.
[[nodiscard]] Backtracked backtrack(std::span<const qubo::ProgramRow> rows,
                                    int n,
                                    std::int64_t failures,
                                    const Stop& stop);

}  // namespace oa::solve
