#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <vector>

namespace oa::solve {

/// The digits of one number.
/// A variable outside the number has a coupling to digit k that is
/// weights[k] times its coupling to digit 0.
struct Number {
  std::vector<int> variables;
  std::vector<double> weights;
};

/// Variables of which good solutions set at most one to 1,
/// because all pairs have the same large positive coupling.
struct Group {
  std::vector<int> variables;
};

/// Numbers and groups of variables, found from a problem's couplings.
struct Structure {
  std::vector<Number> numbers;  ///< disjoint
  std::vector<Group> groups;    ///< a permutation's rows and columns overlap

  [[nodiscard]] bool empty() const { return numbers.empty() && groups.empty(); }
};

/// Finds the structure of problems up to a size at which this is quick;
/// empty for larger problems.  O(n + pairs) without structure.
/// A search that takes too much work, or is stopped, returns the part found so far.
[[nodiscard]] Structure find_structure(const qubo::Quadratic& f, const Stop& stop);

}  // namespace oa::solve
