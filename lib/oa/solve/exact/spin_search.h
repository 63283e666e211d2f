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

/// Nodes that take some seconds.
[[nodiscard]] std::int64_t few_nodes(int n);

}  // namespace oa::solve
