#pragma once

#include <cstddef>
#include <vector>

namespace oa::qubo {

/// The connected components of the graph of couplings; a variable without couplings is
/// a component.  Components are ordered by their smallest variables, which come first
/// in each.
///
/// `seen` has an element for each variable; variables that are true at the start are
/// left out.  `visit_neighbours(i, visit)` calls visit(k) for every k coupled with i.
/// If it returns false, the search ends, and the last component may lack variables.
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
