#include "oa/solve/cut/bound.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"

#include <algorithm>
#include <cmath>

namespace oa::solve {
namespace {

constexpr int kDigits = 40;

/// Rounds prices to multiples of 2^last_digit, so that exact sums are short and fast.
int last_digit(const CutGraph& graph) {
  double most = 0.0;
  for (const CutGraph::Edge& e : graph.edges) {
    most = std::max(most, std::abs(e.weight));
  }
  return most > 0.0 ? std::ilogb(most) - kDigits : 0;
}

/// Rounds `price` to a multiple of 2^digit, at least 0,
/// and limits it so that sums do not overflow.
double usable(double price, int digit) {
  const double rounded = std::nearbyint(std::ldexp(price, -digit));
  return rounded > 0.0 ? std::ldexp(std::min(rounded, 0x1p80), digit) : 0.0;
}

/// Groups of nodes connected by fixed edges.
/// Stores the side of each node relative to the first node of its group.
class Groups {
 public:
  Groups(const CutGraph& graph, std::span<const Fixed> fixed)
      : group_(at(graph.nodes), kNone),
        side_(at(graph.nodes)) {
    for (std::int32_t first = 0; first < graph.nodes; ++first) {
      if (group_[at(first)] == kNone) {
        group_[at(first)] = first;
        spread(graph, fixed, first);
      }
    }
  }

  [[nodiscard]] Fixed between(std::int32_t a, std::int32_t b) const {
    if (group_[at(a)] != group_[at(b)]) {
      return Fixed::Free;
    }
    return side_[at(a)] == side_[at(b)] ? Fixed::Uncut : Fixed::Cut;
  }

 private:
  static constexpr std::int32_t kNone = -1;

  void spread(const CutGraph& graph, std::span<const Fixed> fixed, std::int32_t first) {
    std::vector<std::int32_t> next{first};
    while (!next.empty()) {
      const std::int32_t node = next.back();
      next.pop_back();
      for (const CutGraph::Arc& arc : graph.arcs_of(node)) {
        const Fixed value = fixed[at(arc.edge)];
        if (value != Fixed::Free && group_[at(arc.to)] == kNone) {
          group_[at(arc.to)] = first;
          side_[at(arc.to)] = side_[at(node)] != (value == Fixed::Cut);
          next.push_back(arc.to);
        }
      }
    }
  }

  std::vector<std::int32_t> group_;
  std::vector<bool> side_;
};

}  // namespace

double CutBound::if_expensive(std::int32_t edge) const {
  ExactSum sum;
  sum.add(bound);
  // Rounding may have raised |price|: the next double toward 0 keeps the bound valid.
  sum.add(std::nextafter(std::abs(price[at(edge)]), 0.0));
  return sum.rounded_down();
}

CutBound cut_bound(const CutGraph& graph,
                   std::span<const OddCycle> cycles,
                   std::span<const double> prices,
                   std::span<const Fixed> fixed) {
  std::vector<ExactSum> cost(graph.edges.size());
  for (std::size_t e = 0; e < cost.size(); ++e) {
    cost[e].add(graph.edges[e].weight);
  }
  ExactSum sum = graph.rest;
  const int digit = last_digit(graph);
  for (std::size_t c = 0; c < cycles.size(); ++c) {
    const double price = usable(prices[c], digit);
    sum.add(price);
    for (const OddCycle::Edge& e : cycles[c].edges) {
      cost[at(e.edge)].add(e.odd ? price : -price);
      sum.add(e.odd ? -price : 0.0);
    }
  }
  CutBound result;
  for (std::size_t e = 0; e < cost.size(); ++e) {
    const double price = cost[e].value();
    if (fixed[e] == Fixed::Cut || (fixed[e] == Fixed::Free && price < 0.0)) {
      sum.add(cost[e]);
    }
    result.price.push_back(price);
  }
  result.bound = sum.rounded_down();
  return result;
}

bool complete(const CutGraph& graph, std::span<Fixed> fixed) {
  const Groups groups(graph, fixed);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const Fixed known = groups.between(graph.edges[e].first, graph.edges[e].second);
    if (fixed[e] != Fixed::Free && fixed[e] != known) {
      return false;
    }
    fixed[e] = known;
  }
  return true;
}

}  // namespace oa::solve
