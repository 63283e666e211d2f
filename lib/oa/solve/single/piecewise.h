#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/model.h"
#include "oa/solve/single/model_settings.h"
#include "oa/solve/single/pass.h"

#include <stop_token>

namespace oa::solve {

/// Solves a model with at least one variable.
using ModelSolver = ModelResult(const qubo::Model& model,
                                const ModelSettings& settings,
                                const Rng& rng,
                                const std::stop_token& stop);

/// Solves the connected components of a model by `solve`, each in a share of the time,
/// and joins the results.  Solves the model as a whole if it is connected,
/// or if several best solutions are wanted.
[[nodiscard]] ModelResult solve_by_pieces(const qubo::Model& model,
                                          const ModelSettings& settings,
                                          const Rng& rng,
                                          const std::stop_token& stop,
                                          ModelSolver& solve);

}  // namespace oa::solve
