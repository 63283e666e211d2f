#pragma once

#include "oa/qubo/program.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// The result of searching a feasible x.
struct Backtracked {
  std::optional<std::vector<std::uint8_t>> x;  ///< satisfies all rows
  bool decided = false;                        ///< x exists, or is proved not to exist
};

/// Searches an x of n variables that satisfies all rows:
/// depth first, with propagation of forced values.
/// Branches in the row with the least ratio of open variables to failures (dom/wdeg,
/// Boussemart et al., "Boosting systematic search by weighting constraints", 2004).
/// Restarts after a growing number of failures; ends after about `failures` in total.
[[nodiscard]] Backtracked backtrack(std::span<const qubo::ProgramRow> rows,
                                    int n,
                                    std::int64_t failures,
                                    const Stop& stop);

}  // namespace oa::solve
