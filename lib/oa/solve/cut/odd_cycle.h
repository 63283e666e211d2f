#pragma once

#include "oa/solve/cut/graph.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// What a cut does to a cycle: it cuts an even number of its edges.  So it cannot cut
/// an odd set F of them and none of the others:
///   sum over F of (1 - x_e) + sum over the others of x_e >= 1.
struct OddCycle {
  struct Edge {
    std::int32_t edge;
    bool odd;  ///< it is in F

    auto operator<=>(const Edge&) const = default;
  };
  std::vector<Edge> edges;  ///< sorted
  double lack = 0.0;        ///< of the left side to 1, where it was found

  [[nodiscard]] double left_side(std::span<const double> x) const;
};

/// Each once.
void make_unique(std::vector<OddCycle>& cycles);

/// Finds odd cycles that x, a number from 0 to 1 for each edge, violates.
class OddCycles {
 public:
  /// `graph` must outlive it.
  explicit OddCycles(const CutGraph& graph);

  /// A cut that agrees with the edges of x that are most nearly 0 or 1: a tree of them.
  [[nodiscard]] const std::vector<std::uint8_t>& round(std::span<const double> x);

  /// Quick: the cycles of one edge and the tree of the last round().
  [[nodiscard]] std::vector<OddCycle> by_tree(std::span<const double> x);

  /// Each node that is on a violated cycle gets the worst of them: shortest paths in a
  /// graph that has every node twice (Barahona and Mahjoub, "On the cut polytope",
  /// 1986).
  [[nodiscard]] std::vector<OddCycle> by_paths(std::span<const double> x,
                                               const Stop& stop);

  /// Edges that paths have looked at.
  [[nodiscard]] std::int64_t work() const { return work_; }

 private:
  /// To a node, or from a state, by an edge.
  struct Step {
    std::int32_t node;
    std::int32_t edge;
    bool odd;
  };
  using Walk = std::vector<Step>;

  /// What a tree may grow by.
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
  // The tree: of each node the step to it from above, and how deep it is.
  Walk above_;
  std::vector<std::int32_t> up_;
  std::vector<std::int32_t> depth_;
  std::vector<std::uint8_t> side_;
  // States of shortest paths: 2 i is node i, 2 i + 1 the same beyond an odd part of F.
  std::vector<double> distance_;
  std::vector<Step> last_;
  std::vector<std::int32_t> reached_;
  std::vector<std::int32_t> place_;  // of a node in a walk, or -1
  std::int64_t work_ = 0;
};

}  // namespace oa::solve
