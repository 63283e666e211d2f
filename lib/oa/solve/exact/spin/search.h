#pragma once

#include "oa/solve/method/solver.h"

#include <cstdint>

namespace oa::solve {

/// Problems of at most so many variables are too small to need it.
inline constexpr int kFewSpins = 30;

/// The largest problem that is worth trying: its root alone takes a minute or so.
inline constexpr int kMostSearched = 600;

/// Branch and bound with semidefinite bounds (CliqueBound): for problems that are
/// dense or hard, a node of which takes some hundredths of a second.  ProvedOptimal, or
/// Stopped with a bound that holds; of several optima any.  Begins at task.known; opens
/// about settings.max_nodes nodes at most.  Unless stopped, the same for any number of
/// threads.
[[nodiscard]] Result search_spins(const PartTask& task, const Stop& stop);

/// The largest problem that search_root() is for.
inline constexpr int kMostBounded = 1000;

/// The root of that search alone, for as long as its bound gains enough: mostly some
/// per cent better than spin_bound().  ProvedOptimal where that is a proof.
[[nodiscard]] Result search_root(const PartTask& task, const Stop& stop);

/// About how long that takes until it is better than spin_bound().
[[nodiscard]] double root_seconds(int n);

/// Nodes that take some seconds.
[[nodiscard]] std::int64_t few_nodes(int n);

}  // namespace oa::solve
