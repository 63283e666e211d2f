#pragma once

#include "oa/solve/polynomial/whole_polynomial.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Makes a polynomial smaller without losing its lexicographically smallest minimum,
/// and restores solutions.
///
/// Fixes a variable if its derivative has one sign for all values of the others.  A
/// variable that is the last one of its only monomial follows from the others there.
/// Splits the rest into components.
class PolynomialPresolve {
 public:
  /// A component of the rest, without a constant.
  struct Part {
    WholePolynomial p;
    std::vector<std::int32_t> variables;  ///< their numbers in the whole, rising
  };

  /// O(rounds * size of all monomials * log).
  explicit PolynomialPresolve(WholePolynomial p);

  /// The components, or all of them as one if `split` is false; none without variables.
  [[nodiscard]] std::vector<Part> parts(bool split) const;
  /// The minimum without the minima of the parts.
  [[nodiscard]] TwoDoubles offset() const { return in_doubles(p_.constant, p_.unit); }

  /// Sets the removed variables; those of parts are already set.
  void restore(std::span<std::uint8_t> x) const;

 private:
  /// A variable that is given, or follows from the product of others.
  struct Step {
    std::int32_t variable;
    std::uint8_t value;                 // where the product is 1
    std::vector<std::int32_t> factors;  // empty: given
  };

  bool round();
  [[nodiscard]] Part part_of(std::vector<std::int32_t> variables) const;

  WholePolynomial p_;  // of the variables that are left
  std::vector<Step> steps_;
  std::vector<bool> removed_;
};

}  // namespace oa::solve
