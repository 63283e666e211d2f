#pragma once

#include <cstddef>
#include <vector>

namespace oa::qubo {

/// The sets of variables that couplings connect, directly or through others; a variable
/// without couplings is a set of its own.  Sets are in the order of their smallest
/// variables, which come first in them.
///
/// `seen` has an element for each variable; those that are true to begin with are in no
/// set.  `visit_neighbours(i, visit)` calls visit(k) for every k coupled with i; where
/// it returns false the search ends, and the last set may lack variables.
template <class VisitNeighbours>
[[nodiscard]] std::vector<std::vector<int>> components(
    std::vector<bool> seen, const VisitNeighbours& visit_neighbours) {
  std::vector<std::vector<int>> all;
  for (std::size_t first = 0; first < seen.size(); ++first) {
    if (seen[first]) {
      continue;
    }
    std::vector<int>& one = all.emplace_back(1, static_cast<int>(first));
    seen[first] = true;
    const auto visit = [&](int k) {
      if (!seen[static_cast<std::size_t>(k)]) {
        seen[static_cast<std::size_t>(k)] = true;
        one.push_back(k);
      }
    };
    for (std::size_t next = 0; next < one.size(); ++next) {
      if (!visit_neighbours(one[next], visit)) {
        return all;
      }
    }
  }
  return all;
}

}  // namespace oa::qubo
