#pragma once

#include "app/context.h"

#include <string>
#include <vector>

namespace oa::app {

/// Reads several solutions of the same problems, and writes the best solution of each
/// problem.  Inputs are streams with equal frames, or result lines.
/// Among equal energies, prefers a proved solution, then the first.  Throws InputError.
[[nodiscard]] Exit best_of(const std::vector<std::string>& paths, Context& context);

}  // namespace oa::app
