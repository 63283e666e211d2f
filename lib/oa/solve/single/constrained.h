#pragma once

#include "oa/qubo/model.h"
#include "oa/solve/single/model_settings.h"

#include <stop_token>

namespace oa::solve {

/// Solves a model with constraints, which have whole numbers.  A search by flips and
/// exchanges comes first.  Methods that prove then use linear programs
/// (program/branch.h), dynamic programming over the sums of rows (program/states.h)
/// and, if there are products, relaxations (relaxed.h).  They get a quadratic function
/// with penalties only if no feasible x is known or sums are not exact.  Finds one
/// solution; ignores samples and counts.
///
/// The best x satisfies all constraints if any x that was found does.  No x that
/// satisfies them is better than the bound.  The status ProvedOptimal of an x that
/// violates a constraint means that nothing satisfies all constraints.
[[nodiscard]] ModelResult solve_constrained(const qubo::Model& model,
                                            const ModelSettings& settings,
                                            const Rng& rng,
                                            const std::stop_token& stop);

}  // namespace oa::solve
