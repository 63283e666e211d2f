#pragma once

#include "oa/solve/method/solver.h"

#include <optional>

namespace oa::solve {

/// Solves a problem whose graph is like a tree, with proof: dynamic programming over a
/// tree decomposition (Bertele and Brioschi, "Nonserial dynamic programming", 1972).
/// Variables are minimised away one after the other; what each leaves behind is a table
/// of 2^w numbers, w the variables it depends on.  Of several minima the
/// lexicographically smallest, if there are at most kMostOrdered variables.
///
/// Nothing if tables would take more than a gibibyte or longer than there is time, or
/// if that smallest minimum is one of too many.  Same result for any number of threads.
[[nodiscard]] std::optional<Result> solve_tree(const PartTask& task, const Stop& stop);

}  // namespace oa::solve
