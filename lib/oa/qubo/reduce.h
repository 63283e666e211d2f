#pragma once

#include "oa/qubo/polynomial.h"

#include <string>

namespace oa::qubo {

/// A quadratic function whose optima are those of a polynomial under its constraints.
/// Its first variables are those of the polynomial; others follow.
///
/// Degree: over 0/1 variables,
///   -a x_1...x_d = min over y of a y (d - 1 - x_1 - ... - x_d),
/// and a x_1...x_d, a > 0, is a minimum over floor((d - 1) / 2) variables (Ishikawa
/// 2011, Transformation of general binary MRF minimization to the first-order case).
/// These are identities for every x: nothing depends on a penalty.
///
/// Constraints: with whole weights, a constraint that does not hold is missed by 1 at
/// least.  Slack s of 0/1 variables takes every whole number from 0 to the most that a
/// constraint leaves, so that for x it holds at, some s makes (a'x + s - b)^2 zero. The
/// penalty is a power of two above the difference between the largest and the least
/// value that the polynomial can have: then what violates a constraint is worse than
/// anything that does not.  If the best violates one, nothing satisfies all.  A
/// constraint that never holds adds the penalty as a constant.
struct Reduced {
  Quadratic f;
  double penalty = 0.0;  ///< of a constraint that is missed by 1; 0 if there are none
};

/// Constraints have whole numbers.  Throws InputError, whose text begins with `where`,
/// if no penalty fits a double.
[[nodiscard]] Reduced reduced(const Polynomial& p, const std::string& where);

}  // namespace oa::qubo
