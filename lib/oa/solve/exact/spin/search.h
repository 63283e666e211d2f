#pragma once

#include "oa/solve/method/solver.h"

#include <cstdint>

namespace oa::solve {

/// Problems of at most this many variables do not need it.
inline constexpr int kMaxSpins = 30;

/// The largest problem worth trying; its root takes about a minute.
inline constexpr int kMaxSearched = 600;

/// Branch and bound with semidefinite bounds (CliqueBound), for dense or hard problems.
/// A node takes about 10 ms or more.  ProvedOptimal, or Stopped with a valid bound;
/// finds any of several optima.  Begins at task.known and opens about
/// settings.max_nodes nodes.  The result is the same for any number of threads, unless
/// it is stopped.
[[nodiscard]] Result search_spins(const PartTask& task, const Stop& stop);

/// The largest problem that search_root() is for.
inline constexpr int kMaxBounded = 1000;

/// Bounds only the root of this search, while the bound gains enough: usually a few per
/// cent better than spin_bound().  ProvedOptimal if that is a proof.
[[nodiscard]] Result search_root(const PartTask& task, const Stop& stop);

/// The approximate time after which it is better than spin_bound().
[[nodiscard]] double root_seconds(int n);

/// A number of nodes that takes some seconds.
[[nodiscard]] std::int64_t few_nodes(int n);

}  // namespace oa::solve
