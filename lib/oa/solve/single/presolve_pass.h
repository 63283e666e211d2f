#pragma once

#include "oa/solve/single/pass.h"

#include <memory>

namespace oa::solve {

/// Fixes and merges variables of a function without constraints.  Nothing to do if
/// several solutions are wanted, or if the numbers span too many digits.
[[nodiscard]] std::unique_ptr<Pass> presolve(const qubo::Model& model,
                                             ModelSettings& settings,
                                             const Stop& stop);

}  // namespace oa::solve
