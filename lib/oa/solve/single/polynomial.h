#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/solve/single/model_settings.h"

#include <stop_token>

namespace oa::solve {

/// Solves `p`, which has no constraints, as a polynomial, as solve_model() does,
/// but without counting optima. settings.method must have solve_polynomial.
[[nodiscard]] ModelResult solve_in_own_form(const qubo::Polynomial& p,
                                            const ModelSettings& settings,
                                            const Rng& rng,
                                            const std::stop_token& stop);

}  // namespace oa::solve
