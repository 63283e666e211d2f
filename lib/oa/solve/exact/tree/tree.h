#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oa::solve {

/// Solves a problem of small treewidth, with proof: dynamic programming over a tree
/// decomposition (Bertele and Brioschi, "Nonserial dynamic programming", 1972).
/// Variables are eliminated one by one; each becomes a table of 2^w numbers, w the
/// variables it depends on.  Finds the lexicographically smallest minimum of at most
/// kMaxOrdered variables, else any.
///
/// Nothing if the tables would take more than 1 GiB or 0.6 of the time, or no order is
/// found in half of this time.  Nothing if most variables depend on each other, because
/// branching is faster, or if there are too many minima to find the smallest.  The
/// result is the same for any number of threads.
[[nodiscard]] std::optional<Result> solve_tree(const PartTask& task, const Stop& stop);

/// The number of x that minimise a problem.
struct MinimaCount {
  std::optional<std::uint64_t> count;  ///< 2^64 - 1 means at least that many
  std::string why;                     ///< the reason, if they were not counted
};

/// Counts by the same method, if the tables and all reached entries fit into memory.
[[nodiscard]] MinimaCount count_minima(const qubo::Quadratic& f,
                                       int threads,
                                       const Stop& stop);

}  // namespace oa::solve
