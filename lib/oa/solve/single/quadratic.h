#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/single/model_settings.h"

#include <stop_token>

namespace oa::solve {

/// Solves `f` as a whole, without presolving.  Proofs hold for the exact numbers of
/// `f`; if these span too many digits (pose()), solutions are told apart by a margin or
/// no proof is claimed.  The same f, settings and seed give the same result for any
/// number of threads, unless a time limit or a target ends it.  Throws InputError if f
/// is too large for the method.
[[nodiscard]] ModelResult solve_quadratic(const qubo::Quadratic& f,
                                          const ModelSettings& settings,
                                          const Rng& rng,
                                          const std::stop_token& stop);

}  // namespace oa::solve
