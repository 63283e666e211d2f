#pragma once

#include "oa/qubo/program.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// Whether something satisfies all rows.
struct Backtracked {
  std::optional<std::vector<std::uint8_t>> x;  ///< that does
  bool decided = false;  ///< there is an x, or none, which is proved
};

/// Looks for an x of n variables that satisfies all rows: a search in depth that gives
/// variables the values that rows force.  It branches in the row with the fewest open
/// variables for each time that it failed (dom/wdeg, Boussemart et al., "Boosting
/// systematic search by weighting constraints", 2004), and begins anew after more and
/// more failures, about `failures` in all.
[[nodiscard]] Backtracked backtrack(std::span<const qubo::ProgramRow> rows,
                                    int n,
                                    std::int64_t failures,
                                    const Stop& stop);

}  // namespace oa::solve
