#pragma once

#include "oa/qubo/model.h"
#include "oa/solve/single/model_settings.h"

#include <stop_token>

namespace oa::solve {

/// Solves a model with whole constraints.  First searches by flips and exchanges,
/// then tries proofs: linear programs (program/branch.h), dynamic programming over sums
/// of rows (program/states.h) and, if there are products, relaxations (relaxed.h).
/// Uses a quadratic function with penalties only if no feasible x is known or sums are
/// inexact.  Finds one solution; ignores samples and counts.
///
/// The best x is feasible if any found x is.  No feasible x is better than the bound.
/// ProvedOptimal with an infeasible x means that no x is feasible.
[[nodiscard]] ModelResult solve_constrained(const qubo::Model& model,
                                            const ModelSettings& settings,
                                            const Rng& rng,
                                            const std::stop_token& stop);

}  // namespace oa::solve
