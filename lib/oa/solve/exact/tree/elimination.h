#pragma once

#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/method/stop.h"

#include <optional>
#include <vector>

namespace oa::solve {

/// An elimination order with the variables on which each variable depends when it is
/// eliminated: a tree decomposition.
struct Elimination {
  /// An earlier step whose others[0] is the variable of this step.
  /// Bit k of an entry of a step is the value of its others[k].
  struct Child {
    std::size_t step;
    std::vector<int> bits;  ///< places of its further `others` among those of this step

    /// Returns the child's entry for an entry of this step and a value of its variable.
    [[nodiscard]] std::size_t entry(std::size_t above, std::size_t value) const;
  };

  struct Step {
    int variable = 0;
    /// Later variables coupled with the variable, directly or by earlier eliminations,
    /// in the order of elimination.
    std::vector<int> others;
    std::vector<Child> children = {};
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
