#pragma once

#include "oa/qubo/model.h"

#include <string>

namespace oa::qubo {

/// A quadratic function with the optima of a polynomial under its constraints.  Its
/// first variables are those of the polynomial.
///
/// Degree: over 0/1 variables,
///   -a x_1...x_d = min over y of a y (d - 1 - x_1 - ... - x_d),
/// and a x_1...x_d, a > 0, is a minimum over floor((d - 1) / 2) variables (Ishikawa
/// 2011, Transformation of general binary MRF minimization to the first-order case).
/// These are identities for every x, without penalties.
///
/// Constraints: with whole weights, the violation of a constraint is at least 1.  Slack
/// variables s take every whole number from 0 to the largest slack, so that for x that
/// satisfies the constraint, some s makes (a'x + s - b)^2 zero.  The penalty is a power
/// of two above the difference between the largest and the least value of the
/// polynomial: an x that violates a constraint is worse than any x that satisfies all.
/// If the best x violates one, no x satisfies all.  A constraint that never holds adds
/// the penalty as a constant.
struct Reduced {
  Quadratic f;
  double penalty = 0.0;  ///< for a violation of 1; 0 without constraints
};

/// Constraints have whole numbers.  Throws InputError, which begins with `where`, if no
/// penalty fits a double.
[[nodiscard]] Reduced reduced(const Polynomial& p, const std::string& where);

/// The function of a model, or the one to which it reduces.
[[nodiscard]] Quadratic quadratic_of(const Model& model, const std::string& where);

}  // namespace oa::qubo
