#include "oa/solve/cut/bound.h"

#include "oa/base/index.h"
#include "oa/solve/cut/graph.h"
#include "oa/solve/cut/odd_cycle.h"
#include "unit/draw.h"
#include "unit/solve/random_sparse.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace oa::solve {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// Numbers from 0 to 1, often one of these.
std::vector<double> random_point(Rng& rng, std::size_t size) {
  std::vector<double> x(size);
  for (double& value : x) {
    const auto kind = rng.below(4);
    value = kind == 0 ? 0.0 : kind == 1 ? 1.0 : rng.uniform();
  }
  return x;
}

double random_price(Rng& rng) {
  switch (rng.below(8)) {
    case 0: return -rng.uniform();
    case 1: return std::numeric_limits<double>::quiet_NaN();
    case 2: return rng.below(2) != 0 ? kNone : -kNone;
    case 3: return 1e300;
    case 4: return 1e-300;
    default: return 3.0 * rng.uniform();
  }
}

bool is_cut(const CutGraph& graph, std::int32_t edge, unsigned sides) {
  const auto& [a, b, weight] = graph.edges[at(edge)];
  return ((sides >> a ^ sides >> b) & 1U) != 0;
}

/// Whether edges are one closed walk that meets no node twice.
bool is_simple(const CutGraph& graph, const OddCycle& cycle) {
  std::map<std::int32_t, std::vector<std::int32_t>> ends;
  for (const OddCycle::Edge& e : cycle.edges) {
    const auto& [a, b, weight] = graph.edges[at(e.edge)];
    ends[a].push_back(b);
    ends[b].push_back(a);
  }
  std::set<std::int32_t> seen;
  std::int32_t node = ends.begin()->first;
  while (seen.insert(node).second) {
    if (ends[node].size() != 2) {
      return false;
    }
    node = seen.contains(ends[node][0]) ? ends[node][1] : ends[node][0];
  }
  return seen.size() == cycle.edges.size();
}

void check_cycle(const CutGraph& graph,
                 const OddCycle& cycle,
                 std::span<const double> x) {
  CHECK(is_simple(graph, cycle));
  CHECK(std::ranges::count(cycle.edges, true, &OddCycle::Edge::odd) % 2 == 1);
  CHECK(std::ranges::is_sorted(cycle.edges));
  CHECK(cycle.left_side(x) < 1.0);
  CHECK(cycle.violation == doctest::Approx(1.0 - cycle.left_side(x)));
}

/// The least left side of all odd closed walks: all shortest paths (Floyd, 1962) in a
/// graph that has every node twice.
double least_left_side(const CutGraph& graph, std::span<const double> x) {
  const std::size_t n = 2 * at(graph.nodes);
  std::vector<double> way(n * n, kNone);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto a = 2 * at(graph.edges[e].first);
    const auto b = 2 * at(graph.edges[e].second);
    for (const std::size_t half : {0U, 1U}) {
      for (const std::size_t other : {0U, 1U}) {
        const double length = half == other ? x[e] : 1.0 - x[e];
        way[(a + half) * n + b + other] = way[(b + other) * n + a + half] = length;
      }
    }
  }
  for (std::size_t by = 0; by < n; ++by) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        way[i * n + k] = std::min(way[i * n + k], way[i * n + by] + way[by * n + k]);
      }
    }
  }
  double least = kNone;
  for (std::size_t i = 0; i < n; i += 2) {
    least = std::min(least, way[i * n + i + 1]);
  }
  return least;
}

/// Every odd cycle that a few points violate.
std::vector<OddCycle> some_cycles(const CutGraph& graph, Rng& rng) {
  OddCycles cycles(graph);
  std::vector<OddCycle> found;
  for (int t = 0; t < 4; ++t) {
    std::ranges::move(cycles.by_paths(random_point(rng, graph.edges.size()), {}),
                      std::back_inserter(found));
  }
  make_unique(found);
  return found;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("a graph with its cut is the function with its x") {
    test::each_fork(Rng(301), 200, [&](Rng& rng, int t) {
      const bool exact = t % 2 == 0;
      const auto f = random_sparse(rng, 6, 0.6, exact);
      const CutGraph graph(f);
      for (unsigned sides = 0; sides < 1U << graph.nodes; ++sides) {
        std::vector<std::uint8_t> side;
        for (int i = 0; i < graph.nodes; ++i) {
          side.push_back(sides >> i & 1U);
        }
        ExactSum difference = exact_energy(f, graph.x_of(side));
        difference.subtract(graph.rest);
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
          if (is_cut(graph, static_cast<std::int32_t>(e), sides)) {
            difference.add(-graph.edges[e].weight);
          }
        }
        CHECK(difference.value() >= 0.0);
        CHECK(difference.value() <= (exact ? 0.0 : 1e-12));
      }
    });
  }

  TEST_CASE("odd cycles are cycles, odd and violated, and found where there are any") {
    int some = 0;
    test::each_fork(Rng(302), 300, [&](Rng& rng, int t) {
      const CutGraph graph(random_sparse(rng, 4 + t % 8, 0.4, true));
      const auto x = random_point(rng, graph.edges.size());
      OddCycles cycles(graph);
      static_cast<void>(cycles.round(x));
      for (const OddCycle& cycle : cycles.by_tree(x)) {
        check_cycle(graph, cycle, x);
      }
      const auto found = cycles.by_paths(x, {});
      for (const OddCycle& cycle : found) {
        check_cycle(graph, cycle, x);
      }
      const double least = least_left_side(graph, x);
      if (std::abs(least - 0.999) > 1e-9) {  // else rounding decides
        CHECK(found.empty() == (least > 0.999));
      }
      some += found.empty() ? 0 : 1;
    });
    CHECK(some > 100);
    CHECK(some < 300);
  }

  TEST_CASE("no prices, however wrong, make a bound that a cut is below") {
    int close = 0;
    test::each_fork(Rng(303), 400, [&](Rng& rng, int t) {
      const CutGraph graph(random_sparse(rng, 7, 0.5, t % 2 == 0));
      const auto cycles = some_cycles(graph, rng);
      std::vector<double> prices;
      for (std::size_t c = 0; c < cycles.size(); ++c) {
        prices.push_back(t % 4 == 3 ? 0.2 * rng.uniform() : random_price(rng));
      }
      std::vector<Fixed> fixed(graph.edges.size());
      for (Fixed& value : fixed) {
        value = static_cast<Fixed>(rng.below(6) < 4 ? 0 : 1 + rng.below(2));
      }
      const CutBound bound = cut_bound(graph, cycles, prices, fixed);
      std::vector<Fixed> all = fixed;
      const bool possible = complete(graph, all);
      double least = kNone;
      for (unsigned sides = 0; sides < 1U << graph.nodes; ++sides) {
        ExactSum cost = graph.rest;
        bool agrees = true;
        for (std::size_t e = 0; e < fixed.size() && agrees; ++e) {
          const bool cut = is_cut(graph, static_cast<std::int32_t>(e), sides);
          cost.add(cut ? graph.edges[e].weight : 0.0);
          agrees = fixed[e] == Fixed::Free || cut == (fixed[e] == Fixed::Cut);
        }
        if (!agrees) {
          continue;
        }
        least = std::min(least, cost.rounded_down());
        REQUIRE(possible);
        for (std::size_t e = 0; e < fixed.size(); ++e) {
          const auto edge = static_cast<std::int32_t>(e);
          const bool cut = is_cut(graph, edge, sides);
          CHECK((all[e] == Fixed::Free || cut == (all[e] == Fixed::Cut)));
          if (fixed[e] == Fixed::Free && cut == (bound.price[e] > 0.0)) {
            CHECK(bound.if_expensive(edge) <= cost.rounded_down());
          }
        }
      }
      CHECK(bound.bound <= least);
      CHECK(possible == (least < kNone));
      close += bound.bound > least - 6.0 ? 1 : 0;
    });
    CHECK(close > 50);
  }
}

}  // namespace oa::solve
