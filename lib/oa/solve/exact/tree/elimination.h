#pragma once

#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/method/stop.h"

#include <optional>
#include <vector>

namespace oa::solve {

/// An order in which the variables of a function can be minimised away one after the
/// other, and what each depends on when its turn comes: a tree decomposition.
struct Elimination {
  struct Step {
    int variable = 0;
    /// Those later in the order that it is coupled with, by the function or because a
    /// variable before it was: in the order of their turns.
    std::vector<int> others;
  };

  std::vector<Step> steps;
  int width = 0;         ///< the most others
  double entries = 0.0;  ///< sum of 2^others: values of all tables together
};

/// The better of two orders: that of least fill (each time the variable whose
/// neighbours lack the fewest couplings among themselves), and that of a walk through
/// the graph in breadth.  Nothing if neither is at most `most_width` wide, as far as a
/// limited search tells.
[[nodiscard]] std::optional<Elimination> eliminate(const WholeFunction& f,
                                                   int most_width,
                                                   const Stop& stop);

}  // namespace oa::solve
