#include "oa/solve/cut/odd_cycle.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr double kMin = 1e-3;      // violation from which a cycle is worth adding
constexpr double kDecided = 1e-6;  // distance from 0 or 1 that counts as 0

/// The contribution of an edge to the left side of its constraint.
double length(std::span<const double> x, std::int32_t edge, bool odd) {
  const double value = std::clamp(x[at(edge)], 0.0, 1.0);
  return odd ? 1.0 - value : value;
}

}  // namespace

double OddCycle::left_side(std::span<const double> x) const {
  double sum = 0.0;
  for (const Edge& e : edges) {
    sum += length(x, e.edge, e.odd);
  }
  return sum;
}

void make_unique(std::vector<OddCycle>& cycles) {
  std::ranges::sort(cycles, {}, &OddCycle::edges);
  const auto again = std::ranges::unique(cycles, {}, &OddCycle::edges);
  cycles.erase(again.begin(), again.end());
}

OddCycles::OddCycles(const CutGraph& graph)
    : graph_(graph),
      above_(at(graph.nodes)),
      up_(at(graph.nodes)),
      depth_(at(graph.nodes)),
      side_(at(graph.nodes)),
      distance_(2 * at(graph.nodes), kFar),
      last_(2 * at(graph.nodes)),
      place_(at(graph.nodes), -1) {}

const std::vector<std::uint8_t>& OddCycles::round(std::span<const double> x) {
  // Runs Prim's algorithm from every node that no tree contains yet.
  std::ranges::fill(depth_, -1);
  std::priority_queue<Twig> next;
  const auto add = [&](std::int32_t node) {
    for (const CutGraph::Arc& arc : graph_.arcs_of(node)) {
      if (depth_[at(arc.to)] < 0) {
        const double value = x[at(arc.edge)];
        next.push({std::abs(value - 0.5), node, {arc.to, arc.edge, value > 0.5}});
      }
    }
  };
  for (std::int32_t root = 0; root < graph_.nodes; ++root) {
    if (depth_[at(root)] >= 0) {
      continue;
    }
    depth_[at(root)] = 0;
    side_[at(root)] = 0;
    for (add(root); !next.empty();) {
      const auto [sure, from, step] = next.top();
      next.pop();
      if (depth_[at(step.node)] < 0) {
        depth_[at(step.node)] = depth_[at(from)] + 1;
        side_[at(step.node)] = side_[at(from)] ^ std::uint8_t{step.odd};
        above_[at(step.node)] = {from, step.edge, step.odd};
        add(step.node);
      }
    }
  }
  return side_;
}

std::vector<OddCycle> OddCycles::by_tree(std::span<const double> x) {
  std::vector<OddCycle> found;
  for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
    auto [a, b, weight] = graph_.edges[e];
    // The edge is in F (the odd subset) if it makes the size of F odd.
    const bool odd = side_[at(a)] == side_[at(b)];
    double sum = length(x, static_cast<std::int32_t>(e), odd);
    Walk there;
    Walk back;
    while (a != b && sum < 1.0 - kMin) {
      std::int32_t& deeper = depth_[at(a)] >= depth_[at(b)] ? a : b;
      const Step up = above_[at(deeper)];
      (&deeper == &a ? there : back).push_back({deeper, up.edge, up.odd});
      sum += length(x, up.edge, up.odd);
      deeper = up.node;
    }
    if (a == b && sum < 1.0 - kMin) {
      // Down from the top to the edge's second node, over the edge, and up again.
      std::ranges::reverse(back);
      const std::int32_t first = graph_.edges[e].first;
      back.push_back({first, static_cast<std::int32_t>(e), odd});
      for (std::size_t k = 0; k < there.size(); ++k) {
        const std::int32_t to = k + 1 < there.size() ? there[k + 1].node : a;
        back.push_back({to, there[k].edge, there[k].odd});
      }
      keep(std::move(back), x, found);
    }
  }
  make_unique(found);
  return found;
}

std::vector<OddCycle> OddCycles::by_paths(std::span<const double> x, const Stop& stop) {
  std::vector<OddCycle> found;
  std::vector<bool> known(at(graph_.nodes));
  std::vector<std::int32_t> near;
  for (int i = 0; i < graph_.nodes && !stop(); ++i) {
    if (known[at(i)]) {
      continue;
    }
    known[at(i)] = true;
    near.assign(1, i);
    while (!near.empty()) {
      const std::int32_t node = near.back();
      near.pop_back();
      for (const CutGraph::Arc& arc : graph_.arcs_of(node)) {
        if (!known[at(arc.to)] && std::abs(x[at(arc.edge)] - 0.5) > 0.5 - kDecided) {
          known[at(arc.to)] = true;
          near.push_back(arc.to);
        }
      }
    }
    Walk walk = shortest(i, x);
    if (!walk.empty()) {
      make_simple(walk);
      keep(std::move(walk), x, found);
    }
    for (const std::int32_t state : reached_) {
      distance_[at(state)] = kFar;
    }
    reached_.clear();
  }
  make_unique(found);
  return found;
}

/// Returns the shortest closed walk through `from` with an odd number of edges in F,
/// if shorter than 1.
/// Bidirectional Dijkstra: the ends of the middle edge are at most half as far.
OddCycles::Walk OddCycles::shortest(int from, std::span<const double> x) {
  using Entry = std::pair<double, std::int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
  double best = 1.0 - kMin;
  std::int32_t first = -1;
  std::int32_t second = -1;
  Step middle{};
  const auto reach = [&](std::int32_t state, double distance, const Step& by) {
    if (distance < distance_[at(state)] && distance <= 0.5 * best) {
      if (distance_[at(state)] == kFar) {
        reached_.push_back(state);
      }
      distance_[at(state)] = distance;
      last_[at(state)] = by;
      next.emplace(distance, state);
    }
  };
  reach(2 * from, 0.0, {-1, -1, false});
  while (!next.empty() && next.top().first <= 0.5 * best) {
    const auto [distance, state] = next.top();
    next.pop();
    if (distance > distance_[at(state)]) {
      continue;
    }
    const std::span<const CutGraph::Arc> arcs = graph_.arcs_of(state / 2);
    work_ += std::ssize(arcs);
    for (const CutGraph::Arc& arc : arcs) {
      for (const bool odd : {false, true}) {
        const std::int32_t to = (2 * arc.to + state % 2) ^ std::int32_t{odd};
        const double there = distance + length(x, arc.edge, odd);
        // Both parts and this edge together have an odd number of edges in F.
        const double sum = there + distance_[at(to ^ 1)];
        if (sum < best) {
          best = sum;
          first = state;
          second = to ^ 1;
          middle = {arc.to, arc.edge, odd};
        }
        reach(to, there, {state, arc.edge, odd});
      }
    }
  }
  if (first < 0) {
    return {};
  }
  Walk walk = path_to(first);
  walk.push_back(middle);
  const Walk back = path_to(second);
  for (std::size_t k = back.size(); k-- > 0;) {
    walk.push_back({k > 0 ? back[k - 1].node : from, back[k].edge, back[k].odd});
  }
  return walk;
}

OddCycles::Walk OddCycles::path_to(std::int32_t state) const {
  Walk path;
  while (last_[at(state)].edge >= 0) {
    const Step& by = last_[at(state)];
    path.push_back({state / 2, by.edge, by.odd});
    state = by.node;
  }
  std::ranges::reverse(path);
  return path;
}

/// Splits a closed walk where it meets itself,
/// and keeps the part with an odd number of edges in F.
void OddCycles::make_simple(Walk& walk) {
  Walk open;
  place_[at(walk.back().node)] = 0;
  for (const Step& step : walk) {
    open.push_back(step);
    const std::int32_t met = place_[at(step.node)];
    if (met < 0) {
      place_[at(step.node)] = static_cast<std::int32_t>(open.size());
      continue;
    }
    const auto loop = open.begin() + met;
    const auto odd =
        std::count_if(loop, open.end(), [](const Step& s) { return s.odd; });
    if (odd % 2 != 0) {
      open.erase(open.begin(), loop);
      break;
    }
    for (auto s = loop; s != open.end(); ++s) {
      place_[at(s->node)] = s->node == step.node ? met : -1;
    }
    open.erase(loop, open.end());
  }
  for (const Step& step : walk) {
    place_[at(step.node)] = -1;
  }
  walk = std::move(open);
}

/// A chord divides a cycle into two cycles; keeps the one that is violated more.
void OddCycles::shorten(Walk& cycle, std::span<const double> x) {
  bool shorter = true;
  while (shorter && cycle.size() > 3) {
    for (std::size_t k = 0; k < cycle.size(); ++k) {
      place_[at(cycle[k].node)] = static_cast<std::int32_t>(k);
    }
    const Walk before = cycle;
    shorter = shorten_once(cycle, x);
    for (const Step& step : before) {
      place_[at(step.node)] = -1;
    }
  }
}

bool OddCycles::shorten_once(Walk& cycle, std::span<const double> x) const {
  const auto size = std::ssize(cycle);
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    for (const CutGraph::Arc& arc : graph_.arcs_of(cycle[at(i)].node)) {
      const std::ptrdiff_t k = place_[at(arc.to)];
      if (k < i + 2 || (i == 0 && k == size - 1)) {
        continue;  // not an edge, or one of the cycle, or seen from its other end
      }
      // Closes the part from node i to node k by the chord; or the remaining part.
      Walk part(cycle.begin() + i + 1, cycle.begin() + k + 1);
      Walk rest(cycle.begin() + k + 1, cycle.end());
      rest.insert(rest.end(), cycle.begin(), cycle.begin() + i + 1);
      for (Walk* one : {&part, &rest}) {
        bool even = true;
        double sum = 0.0;
        for (const Step& step : *one) {
          even = even != step.odd;
          sum += length(x, step.edge, step.odd);
        }
        sum += length(x, arc.edge, even);
        if (sum < 1.0 - kMin) {
          one->push_back({one == &part ? cycle[at(i)].node : arc.to, arc.edge, even});
          cycle = std::move(*one);
          return true;
        }
      }
    }
  }
  return false;
}

void OddCycles::keep(Walk cycle,
                     std::span<const double> x,
                     std::vector<OddCycle>& found) {
  shorten(cycle, x);
  OddCycle one;
  for (const Step& step : cycle) {
    one.edges.push_back({step.edge, step.odd});
  }
  std::ranges::sort(one.edges);
  one.violation = 1.0 - one.left_side(x);
  found.push_back(std::move(one));
}

}  // namespace oa::solve
