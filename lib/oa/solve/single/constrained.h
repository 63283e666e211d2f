#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/solve/single/general.h"

#include <stop_token>
#include <vector>

namespace oa::solve {

/// The result for a polynomial with constraints.
struct ConstrainedResult {
  /// Vectors x have the variables of the polynomial.  The best x satisfies all
  /// constraints if any x that was found does.  No x that satisfies them is better than
  /// the bound.  The status ProvedOptimal of an x that violates a constraint means that
  /// nothing satisfies all constraints.
  GeneralResult found;
  bool penalised = false;  ///< a quadratic function with penalties was searched
};

/// Solves `p`, whose constraints have whole numbers.  `f` is qubo::reduced(p), in which
/// constraints are penalties, for the other solvers.  A search by flips and exchanges
/// comes first.  Methods that prove then use dynamic programming over the sums of rows
/// (program/states.h) and, if p has products, relaxations (relaxed.h).  They get f only
/// if no feasible x is known or sums are not exact.  Finds one solution; ignores
/// samples and counts.
[[nodiscard]] ConstrainedResult solve_constrained(const qubo::Polynomial& p,
                                                  const qubo::Quadratic& f,
                                                  const GeneralSettings& settings,
                                                  const Rng& rng,
                                                  const std::stop_token& stop);

}  // namespace oa::solve
