#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/solve/single/model_settings.h"

#include <stop_token>

namespace oa::solve {

/// Solves `p`, without constraints, as a polynomial; settings.method must have
/// solve_polynomial.  As solve_model(), but does not count optima.
[[nodiscard]] ModelResult solve_in_own_form(const qubo::Polynomial& p,
                                            const ModelSettings& settings,
                                            const Rng& rng,
                                            const std::stop_token& stop);

}  // namespace oa::solve
