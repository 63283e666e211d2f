#pragma once

#include "app/context.h"

#include <string>
#include <vector>

namespace oa::app {

/// Reads several solutions of the same problems and writes the best of each: streams
/// with the same frames, or lines of results.  Among equal energies a proved one is
/// better, then the first.  Throws InputError.
[[nodiscard]] Exit best_of(const std::vector<std::string>& paths, Context& context);

}  // namespace oa::app
