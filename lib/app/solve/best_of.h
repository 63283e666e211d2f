#pragma once

#include "app/context.h"

#include <string>
#include <vector>

namespace oa::app {

/// Reads several answers to the same problems and writes the best of each: streams of
/// solutions, which have the same frames, or lines of results.  Of equal energies a
/// proved one counts more, then the first.  Throws InputError.
[[nodiscard]] Exit best_of(const std::vector<std::string>& paths,
                           const Common& common,
                           Context& context);

}  // namespace oa::app
