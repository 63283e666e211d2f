#pragma once

#include <cstddef>
#include <vector>

namespace oa::qubo {

/// Lists the connected components of the coupling graph, ordered by smallest variable,
/// which is the first of its component.  A variable without couplings is a component.
///
/// Leaves out variable i if seen[i] is true at the start.  `visit_neighbours(i, visit)`
/// calls visit(k) for every k coupled with i.  If `visit_neighbours` returns false,
/// the search ends, and the last component may be incomplete.
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
