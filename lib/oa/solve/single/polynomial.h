#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/solve/single/general.h"

#include <optional>

namespace oa::solve {

/// Solves `p`, which has no constraints, in its own form; settings.method must have
/// solve_polynomial.  As solve_general(), but optima are not counted.
[[nodiscard]] GeneralResult solve_in_own_form(const qubo::Polynomial& p,
                                              const GeneralSettings& settings,
                                              const Rng& rng,
                                              const std::stop_token& stop);

/// Solves `f` as the polynomial that it was made from (recover/products.h).  Nothing if
/// fewer than half of its variables are products, or if more than one solution is
/// wanted.
[[nodiscard]] std::optional<GeneralResult> solve_as_products(
    const qubo::Quadratic& f,
    const GeneralSettings& settings,
    const Rng& rng,
    const std::stop_token& stop);

}  // namespace oa::solve
