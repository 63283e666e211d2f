#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oa::solve {

/// Solves problems of small treewidth, with proof, by dynamic programming over a tree
/// decomposition (Bertele and Brioschi, "Nonserial dynamic programming", 1972).
/// An eliminated variable that depends on w variables becomes a table of 2^w numbers.
/// Finds the lexicographically smallest minimum up to kMaxOrdered variables, else any.
///
/// Empty if tables need more than 1 GiB or 0.6 of the time, if no order is found in
/// half of this time, if most variables depend on each other (branching is faster),
/// or if there are too many minima to find the smallest.
/// The result does not depend on the number of threads.
[[nodiscard]] std::optional<Result> solve_tree(const PartTask& task, const Stop& stop);

/// The number of minima of a problem.
struct MinimaCount {
  std::optional<std::uint64_t> count;  ///< 2^64 - 1: at least so many
  std::string why;                     ///< reason for an empty count
};

/// Counts minima by dynamic programming, if tables and reached entries fit into memory.
[[nodiscard]] MinimaCount count_minima(const qubo::Quadratic& f,
                                       int threads,
                                       const Stop& stop);

}  // namespace oa::solve
