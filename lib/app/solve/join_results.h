#pragma once

#include "app/context.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::app {

/// Reads files of results, lines of JSON as oa-anneal writes them, and writes a line
/// for each problem and solver: the best energy, how many runs reached the target, and
/// the time to reach it with a certainty of 99 %.  Without `target`, the best energy of
/// all solvers is the target.
/// Throws InputError if two lines are of the same problem, solver and seed.
[[nodiscard]] Exit join_results(const std::vector<std::string>& paths,
                                std::optional<double> target,
                                const Common& common,
                                Context& context);

}  // namespace oa::app
