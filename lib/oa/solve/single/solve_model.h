#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/model.h"
#include "oa/solve/single/model_settings.h"

#include <stop_token>

namespace oa::solve {

/// The maximum number of solutions to list.
inline constexpr int kMaxListed = 10000;
/// The maximum under constraints, where each solution takes a separate search.
inline constexpr int kMaxKept = 100;

/// Solves a model: passes simplify the model, methods solve the rest,
/// and solutions are converted back and evaluated on the model.
/// Lists all optima, at most kMaxListed, if requested.  If no x is feasible,
/// the best x violates a constraint, and its status is ProvedOptimal if that is proved.
/// Throws InputError if the model is too large for the method.
[[nodiscard]] ModelResult solve_model(const qubo::Model& model,
                                      ModelSettings settings,
                                      const Rng& rng,
                                      const std::stop_token& stop);

}  // namespace oa::solve
