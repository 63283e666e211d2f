#pragma once

#include "oa/solve/method/solver.h"

#include <cstdint>

namespace oa::solve {

/// The largest problem for which other methods are faster.
inline constexpr int kMaxSpins = 30;

/// The largest problem worth trying; its root takes about a minute.
inline constexpr int kMaxSearched = 600;

/// Branch and bound with semidefinite bounds (CliqueBound), for dense or hard problems;
/// a node takes 10 ms or more.  Returns ProvedOptimal, or Stopped with a valid bound,
/// and any optimum.  Starts at task.known and opens about settings.max_nodes nodes.
/// Unless stopped, the result does not depend on the number of threads.
[[nodiscard]] Result search_spins(const PartTask& task, const Stop& stop);

/// The largest problem for search_root().
inline constexpr int kMaxBounded = 1000;

/// Bounds the root only, as long as the bound gains enough: usually a few per cent
/// better than spin_bound().  Returns ProvedOptimal if the bound is a proof.
[[nodiscard]] Result search_root(const PartTask& task, const Stop& stop);

/// The approximate time after which search_root() is better than spin_bound().
[[nodiscard]] double root_seconds(int n);

/// A number of nodes that takes some seconds.
[[nodiscard]] std::int64_t few_nodes(int n);

}  // namespace oa::solve
