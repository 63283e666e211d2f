#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <vector>

namespace oa::solve {

/// Variables that are digits of one number: outside the number, the couplings of digit
/// k are weights[k] times those of digit 0.
struct Number {
  std::vector<int> variables;
  std::vector<double> weights;
};

/// Variables of which good solutions set one at most, because each pair of them has the
/// same large positive coupling.
struct Group {
  std::vector<int> variables;
};

/// What the couplings of a problem show about its variables.
struct Structure {
  std::vector<Number> numbers;  ///< disjoint
  std::vector<Group> groups;    ///< rows and columns of a permutation overlap

  [[nodiscard]] bool empty() const { return numbers.empty() && groups.empty(); }
};

/// Finds structure of problems up to a size for which this takes little time; others
/// have none.  O(n + pairs) where there is none.  A search that takes too much work, or
/// is stopped, ends with what it has found.
[[nodiscard]] Structure find_structure(const qubo::Quadratic& f, const Stop& stop);

}  // namespace oa::solve
