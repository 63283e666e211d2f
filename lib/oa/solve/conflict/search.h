#pragma once

#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/recover/conflicts.h"

namespace oa::solve {

/// The minimum number of vertices.  For fewer,
/// search_boxes() is as fast and finds the lexicographically smallest optimum.
inline constexpr int kMinConflicting = 24;

/// The maximum number of vertices: conflicts take 1 bit a pair.
inline constexpr int kMaxConflicting = 8192;

/// A node limit for less than a second, if another method may follow.
[[nodiscard]] std::int64_t few_conflict_nodes(const PartTask& task);

/// Branch and bound over independent sets of `conflicts`, which belong to task.f,
/// with bounds by Cover.  Each vertex of a negative further coupling counts half of the
/// coupling.  Starts at task.known.  Returns ProvedOptimal,
/// or Stopped with a valid bound, and any optimum.  Uses one thread.  If `gives_up`,
/// ends early when the first branches show that the time limit is far too short.
[[nodiscard]] Result search_conflicts(const PartTask& task,
                                      const Conflicts& conflicts,
                                      const Stop& stop,
                                      bool gives_up = false);

}  // namespace oa::solve
