#pragma once

#include "oa/solve/cut/graph.h"
#include "oa/solve/cut/odd_cycle.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// What is decided of an edge.
enum class Fixed : std::int8_t { Free, Uncut, Cut };

/// What no cut that agrees with what is fixed is below.
struct CutBound {
  double bound = 0.0;
  /// Of each edge: how much more than its part of the bound it costs, cut or not,
  /// whichever is dearer; above 0 if that is to be cut.
  std::vector<double> price;

  /// The same for cuts that have this edge the dear way.
  [[nodiscard]] double if_dear(std::int32_t edge) const;
};

/// The bound that prices of odd cycles make.  For prices p >= 0
///   sum w_e x_e  >=  sum w_e x_e + sum over cycles of p (1 - the cycle's left side)
/// for every cut, and the right side is least where each edge on its own is as cheap as
/// it may be.  In exact sums: prices that are wrong in any way only make it worse.
[[nodiscard]] CutBound cut_bound(const CutGraph& graph,
                                 std::span<const OddCycle> cycles,
                                 std::span<const double> prices,
                                 std::span<const Fixed> fixed);

/// Fixes all edges between nodes that fixed edges connect.  False if no cut agrees.
[[nodiscard]] bool complete(const CutGraph& graph, std::span<Fixed> fixed);

}  // namespace oa::solve
