#pragma once

#include "app/context.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::app {

/// Reads result lines of oa-anneal, and writes a line for each problem and solver: the
/// best energy, the number of runs that reached the target, and the time to target with
/// a probability of 99 %.  The default target is the best energy of all solvers.
/// Throws InputError if two lines have equal problem, solver and seed.
[[nodiscard]] Exit join_results(const std::vector<std::string>& paths,
                                std::optional<double> target,
                                Context& context);

}  // namespace oa::app
