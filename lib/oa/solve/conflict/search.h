#pragma once

#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/recover/conflicts.h"

namespace oa::solve {

/// Problems of fewer variables are solved as fast by search_boxes(), which finds the
/// lexicographically smallest optimum.
inline constexpr int kFewestConflicting = 24;

/// The most vertices of search_conflicts(): their conflicts take 1 bit a pair.
inline constexpr int kMaxConflicting = 8192;

/// Nodes that take less than a second, where another method may follow.
[[nodiscard]] std::int64_t few_conflict_nodes(const PartTask& task);

/// Branch and bound over independent sets of `conflicts`, which are those of task.f,
/// with a Cover as bound; half of a negative further coupling counts for each of its
/// vertices.  Begins at task.known.  ProvedOptimal, or Stopped with a valid bound;
/// finds any of several optima.  One thread.  If it `gives_up`, it ends early where the
/// first branches took so long that the time limit is far too short.
[[nodiscard]] Result search_conflicts(const PartTask& task,
                                      const Conflicts& conflicts,
                                      const Stop& stop,
                                      bool gives_up = false);

}  // namespace oa::solve
