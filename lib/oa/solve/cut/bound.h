#pragma once

#include "oa/solve/cut/graph.h"
#include "oa/solve/cut/odd_cycle.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// The decision about an edge.
enum class Fixed : std::int8_t { Free, Uncut, Cut };

/// A lower bound of all cuts that agree with the fixed edges.
struct CutBound {
  double bound = 0.0;
  /// The extra cost of the more expensive state of each edge;
  /// positive if that state is "cut".
  std::vector<double> price;

  /// Returns a bound of all cuts in which `edge` has its more expensive state.
  [[nodiscard]] double if_expensive(std::int32_t edge) const;
};

/// Computes a bound from prices of odd cycles.  For prices p >= 0 and every cut x,
///   sum w_e x_e  >=  sum w_e x_e + sum over cycles of p (1 - the cycle's left side).
/// The right side is minimised edge by edge.
/// Sums are exact, so poor prices weaken the bound but never invalidate it.
[[nodiscard]] CutBound cut_bound(const CutGraph& graph,
                                 std::span<const OddCycle> cycles,
                                 std::span<const double> prices,
                                 std::span<const Fixed> fixed);

/// Fixes edges between nodes that fixed edges connect.  False if no cut is possible.
[[nodiscard]] bool complete(const CutGraph& graph, std::span<Fixed> fixed);

}  // namespace oa::solve
