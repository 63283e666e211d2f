#pragma once

#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/method/stop.h"

#include <optional>
#include <vector>

namespace oa::solve {

/// An elimination order with the variables on which each variable depends when it is
/// eliminated: a tree decomposition.
struct Elimination {
  struct Step {
    int variable = 0;
    /// Later variables coupled with the variable, directly or by earlier eliminations,
    /// in the order of elimination.
    std::vector<int> others;
  };

  std::vector<Step> steps;
  int width = 0;         ///< maximum size of `others`
  double entries = 0.0;  ///< sum of 2^|others|: the size of all tables
};

/// Returns the better of two orders: breadth-first,
/// and least fill (next is the variable whose neighbours lack the fewest edges).
/// Empty if a limited search finds no order of width <= `most_width`.
[[nodiscard]] std::optional<Elimination> eliminate(const WholeFunction& f,
                                                   int most_width,
                                                   const Stop& stop);

}  // namespace oa::solve
