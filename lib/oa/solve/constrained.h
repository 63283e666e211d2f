#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/solve/general.h"

#include <stop_token>
#include <vector>

namespace oa::solve {

/// What was found of a polynomial with constraints.
struct ConstrainedResult {
  /// Its x are those of the polynomial.  The best satisfies all constraints if anything
  /// does that was found, and no x that does is better than the bound.  Proved optimal,
  /// and violating a constraint: nothing satisfies all.
  GeneralResult found;
  bool penalised = false;  ///< constraints were penalties of a quadratic function
};

/// Solves `p`, whose constraints have whole numbers.  `f` is qubo::reduced(p), which
/// solvers that know no constraints get.  Flips and exchanges that keep constraints
/// come first; methods that prove go on with the states of rows (program/states.h), and
/// with f only if p has products.  For one solution, without samples and counts.
[[nodiscard]] ConstrainedResult solve_constrained(const qubo::Polynomial& p,
                                                  const qubo::Quadratic& f,
                                                  const GeneralSettings& settings,
                                                  const Rng& rng,
                                                  const std::stop_token& stop);

}  // namespace oa::solve
