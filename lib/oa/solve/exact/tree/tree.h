#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/solver.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oa::solve {

/// Solves a problem whose graph is like a tree, with proof: dynamic programming over a
/// tree decomposition (Bertele and Brioschi, "Nonserial dynamic programming", 1972).
/// Variables are minimised away one after the other; what each leaves behind is a table
/// of 2^w numbers, w the variables it depends on.  Of several minima the
/// lexicographically smallest, if there are at most kMostOrdered variables.
///
/// Nothing if tables would take more than a gibibyte or longer than 0.6 of the time, if
/// half of it does not find in which order variables go, if most variables depend on
/// each other, so that branching is quicker, or if that smallest minimum is one of too
/// many.  Same result for any number of threads.
[[nodiscard]] std::optional<Result> solve_tree(const PartTask& task, const Stop& stop);

/// How many x minimise a problem.
struct MinimaCount {
  std::optional<std::uint64_t> count;  ///< 2^64 - 1 stands for more, too
  std::string why;                     ///< they were not counted
};

/// Counts in the same way, if tables and the states of all minima fit.
[[nodiscard]] MinimaCount count_minima(const qubo::Quadratic& f,
                                       int threads,
                                       const Stop& stop);

}  // namespace oa::solve
