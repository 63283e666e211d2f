#pragma once

#include "oa/solve/single/pass.h"

#include <memory>

namespace oa::solve {

/// Fixes and merges variables of a function without constraints.
/// Returns null if several solutions are wanted, or if numbers span too many digits.
[[nodiscard]] std::unique_ptr<Pass> presolve(const qubo::Model& model,
                                             ModelSettings& settings,
                                             const Stop& stop);

}  // namespace oa::solve
