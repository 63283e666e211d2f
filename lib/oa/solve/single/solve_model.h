#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/model.h"
#include "oa/solve/single/model_settings.h"

#include <stop_token>

namespace oa::solve {

/// Maximum of solutions to list.
inline constexpr int kMaxListed = 10000;
/// Maximum under constraints, where each solution takes a search of its own.
inline constexpr int kMaxKept = 100;

/// Solves a model: passes simplify it, methods solve what remains, and solutions are
/// converted back and evaluated on the model.  Lists all optima, at most kMaxListed,
/// if requested.  If no x is feasible, the best one violates a constraint; its status
/// is ProvedOptimal if that is proved.  Throws InputError if the model is too large for
/// the method.
[[nodiscard]] ModelResult solve_model(const qubo::Model& model,
                                      ModelSettings settings,
                                      const Rng& rng,
                                      const std::stop_token& stop);

}  // namespace oa::solve
