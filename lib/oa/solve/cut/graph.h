#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A quadratic function of 0/1 variables as a function of cuts (Barahona,
/// Juenger and Reinelt, "Experiments in quadratic 0-1 programming", 1989).
/// Nodes are the variables and one more node; edges are pairs and linear terms.
/// Variables at 1 are on the side of the last node.
/// Edges of weight 0 connect components, so that each x is a different cut.
///   f(x) >= rest + the weights of all cut edges;
/// the difference comes only from numbers that doubles cannot hold.
struct CutGraph {
  struct Edge {
    std::int32_t first;
    std::int32_t second;
    double weight;
  };
  struct Arc {
    std::int32_t to;
    std::int32_t edge;
  };

  int nodes = 0;
  std::vector<Edge> edges;
  std::vector<std::int32_t> begins;  ///< arcs of node i: begins[i] to begins[i + 1]
  std::vector<Arc> arcs;
  ExactSum rest;

  explicit CutGraph(const qubo::Quadratic& f);

  [[nodiscard]] std::span<const Arc> arcs_of(int node) const {
    const auto i = static_cast<std::size_t>(node);
    return std::span(arcs).subspan(static_cast<std::size_t>(begins[i]),
                                   static_cast<std::size_t>(begins[i + 1] - begins[i]));
  }

  /// Moves nodes to the other side as long as the weight of the cut falls.
  void descend(std::span<std::uint8_t> side) const;

  /// Returns the x of a cut.
  [[nodiscard]] std::vector<std::uint8_t> x_of(
      std::span<const std::uint8_t> side) const;
};

}  // namespace oa::solve
