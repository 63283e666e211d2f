#pragma once

#include "oa/solve/cut/graph.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// The constraint of a cycle.  A cut has an even number of the cycle's edges,
/// so it cannot be an odd subset F of them:
///   sum over F of (1 - x_e) + sum over edges not in F of x_e >= 1.
struct OddCycle {
  struct Edge {
    std::int32_t edge;
    bool odd;  ///< the edge is in F

    auto operator<=>(const Edge&) const = default;
  };
  std::vector<Edge> edges;  ///< sorted
  double violation = 0.0;   ///< 1 minus the left side

  [[nodiscard]] double left_side(std::span<const double> x) const;
};

/// Removes duplicate cycles.
void make_unique(std::vector<OddCycle>& cycles);

/// Finds odd cycles that x violates, where x has a number from 0 to 1 for each edge.
class OddCycles {
 public:
  /// `graph` must outlive this.
  explicit OddCycles(const CutGraph& graph);

  /// Returns the cut of a spanning tree of those edges whose x is nearest to 0 or 1.
  [[nodiscard]] const std::vector<std::uint8_t>& round(std::span<const double> x);

  /// Returns violated cycles of one edge and a path in the last round()'s tree.  Fast.
  [[nodiscard]] std::vector<OddCycle> by_tree(std::span<const double> x);

  /// Returns the most violated cycle through each node, by shortest paths in a graph
  /// that has every node twice (Barahona and Mahjoub, "On the cut polytope", 1986).
  [[nodiscard]] std::vector<OddCycle> by_paths(std::span<const double> x,
                                               const Stop& stop);

  /// The number of edges that shortest paths visited.
  [[nodiscard]] std::int64_t work() const { return work_; }

 private:
  /// A step along an edge, to a node or from a state.
  struct Step {
    std::int32_t node;
    std::int32_t edge;
    bool odd;
  };
  using Walk = std::vector<Step>;

  /// A candidate edge for the spanning tree.
  struct Twig {
    double sure;
    std::int32_t from;
    Step step;

    bool operator<(const Twig& other) const { return sure < other.sure; }
  };

  [[nodiscard]] Walk shortest(int from, std::span<const double> x);
  [[nodiscard]] Walk path_to(std::int32_t state) const;
  void make_simple(Walk& walk);
  void shorten(Walk& cycle, std::span<const double> x);
  bool shorten_once(Walk& cycle, std::span<const double> x) const;
  void keep(Walk cycle, std::span<const double> x, std::vector<OddCycle>& found);

  const CutGraph& graph_;
  // The tree: the step from the parent to each node, and the depth of each node.
  Walk above_;
  std::vector<std::int32_t> up_;
  std::vector<std::int32_t> depth_;
  std::vector<std::uint8_t> side_;
  // The states of paths: 2 i is node i, and 2 i + 1 is node i after an odd part of F.
  std::vector<double> distance_;
  std::vector<Step> last_;
  std::vector<std::int32_t> reached_;
  std::vector<std::int32_t> place_;  // index of a node in a walk, or -1
  std::int64_t work_ = 0;
};

}  // namespace oa::solve
