#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/single/model_settings.h"

#include <stop_token>

namespace oa::solve {

/// Solves `f` as a whole, without presolving.  Proofs hold for f's exact numbers.
/// If these numbers span too many digits (pose()), some close solutions are compared
/// exactly; if more are close, no proof is claimed.  Unless a time limit or target ends
/// the search, equal f, settings and seed give equal results for any number of threads.
/// Throws InputError if f is too large for the method.
[[nodiscard]] ModelResult solve_quadratic(const qubo::Quadratic& f,
                                          const ModelSettings& settings,
                                          const Rng& rng,
                                          const std::stop_token& stop);

}  // namespace oa::solve
