#pragma once

#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/method/stop.h"

#include <optional>
#include <vector>

namespace oa::solve {

/// An order in which the variables of a function are eliminated, and the variables that
/// each depends on at its turn: a tree decomposition.
struct Elimination {
  struct Step {
    int variable = 0;
    /// The later variables coupled with it, directly or by earlier eliminations, in the
    /// order of their turns.
    std::vector<int> others;
  };

  std::vector<Step> steps;
  int width = 0;         ///< the largest number of others
  double entries = 0.0;  ///< sum of 2^others: the size of all tables
};

/// The better of two orders: that of least fill (the next variable is the one whose
/// neighbours lack the fewest couplings among themselves), and that of a breadth-first
/// search.  Nothing if a limited search finds no order of at most `most_width`.
[[nodiscard]] std::optional<Elimination> eliminate(const WholeFunction& f,
                                                   int most_width,
                                                   const Stop& stop);

}  // namespace oa::solve
