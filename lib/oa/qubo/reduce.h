#pragma once

#include "oa/qubo/model.h"
#include "oa/qubo/penalties.h"

#include <string>
#include <vector>

namespace oa::qubo {

/// A quadratic function with the same optima as a polynomial under constraints.
/// The first variables are those of the polynomial.
///
/// Degree: over 0/1 variables,
///   -a x_1...x_d = min over y of a y (d - 1 - x_1 - ... - x_d),
/// and a x_1...x_d, a > 0, is a minimum over floor((d - 1) / 2) variables (Ishikawa
/// 2011, Transformation of general binary MRF minimization to the first-order case).
/// Both identities hold for every x, without penalties.
///
/// Constraints: with whole weights, a violation is at least 1.  Slack variables s take
/// every value from 0 to the largest slack, so that some s makes (a'x + s - b)^2 zero
/// if x satisfies the constraint.  Two forms need no slack. "At most one of several
/// literals x or 1 - x is 1", as x + y <= 1 or x <= y, costs the products of all pairs.
/// z = xy, as 0 <= x + y - 2z <= 1, costs xy - 2xz - 2yz + 3z.  Penalties: penalties.h.
/// If the best x violates a constraint, no x is feasible.
/// An infeasible constraint adds its penalty as a constant.
struct Reduced {
  Quadratic f;
  std::vector<double> penalties;  ///< of each constraint, for a violation by 1
};

/// Requires whole constraints.
/// Throws InputError, prefixed with `where`, if no penalty fits into a double.
[[nodiscard]] Reduced reduced(const Polynomial& p,
                              const std::string& where,
                              Penalties kind = Penalties::Ordered);

/// Returns the function of a model, or its reduction with the least penalties.
[[nodiscard]] Quadratic quadratic_of(const Model& model, const std::string& where);

}  // namespace oa::qubo
