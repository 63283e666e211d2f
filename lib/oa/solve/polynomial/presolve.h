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
class PolynomialPresolve {
 public:
  /// O(rounds * size of all monomials * log).
  explicit PolynomialPresolve(WholePolynomial p);

  /// The polynomial of the variables that are left; its minimum is that of the whole.
  [[nodiscard]] WholePolynomial rest() const;
  /// The numbers of these variables in the whole, rising.
  [[nodiscard]] const std::vector<std::int32_t>& variables() const {
    return variables_;
  }

  /// Sets the removed variables of the whole x; the others are already set.
  void restore(std::span<std::uint8_t> x) const;

 private:
  /// A variable that is given, or follows from the product of others.
  struct Step {
    std::int32_t variable;
    std::uint8_t value;                 // where the product is 1
    std::vector<std::int32_t> factors;  // empty: given
  };

  bool round();

  WholePolynomial p_;  // of the variables that are left
  std::vector<Step> steps_;
  std::vector<bool> removed_;
  std::vector<std::int32_t> variables_;
};

}  // namespace oa::solve
