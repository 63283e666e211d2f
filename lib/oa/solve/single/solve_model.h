#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/model.h"
#include "oa/solve/single/model_settings.h"

#include <stop_token>

namespace oa::solve {

/// Largest number of solutions to list.
inline constexpr int kMaxListed = 10000;
/// The same under constraints, where each solution takes a search of its own.
inline constexpr int kMaxKept = 100;

/// Solves a model: passes make it simpler, the methods for what remains solve it, and
/// the solutions go back to the model, where they are evaluated.  Lists all optima, at
/// most kMaxListed, if these are wanted.  If no x satisfies all constraints, the best
/// x violates one, and its status is ProvedOptimal if that is proved. Throws InputError
/// if the model is too large for the method.
[[nodiscard]] ModelResult solve_model(const qubo::Model& model,
                                      ModelSettings settings,
                                      const Rng& rng,
                                      const std::stop_token& stop);

}  // namespace oa::solve
