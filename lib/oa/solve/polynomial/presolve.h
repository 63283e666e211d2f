#pragma once

#include "oa/solve/polynomial/whole_polynomial.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Reduces a polynomial without losing its lexicographically smallest minimum,
/// and restores solutions.
///
/// Fixes a variable if its derivative has one sign for all values of other variables.
/// The last variable of its only monomial follows from the rest of the monomial.
class PolynomialPresolve {
 public:
  /// O(rounds * size of all monomials * log).
  explicit PolynomialPresolve(WholePolynomial p);

  /// The polynomial of the remaining variables; its minimum equals that of the whole.
  [[nodiscard]] WholePolynomial rest() const;
  /// The indices of the remaining variables in the whole polynomial, ascending.
  [[nodiscard]] const std::vector<std::int32_t>& variables() const {
    return variables_;
  }

  /// Sets the removed variables in x; the remaining variables of x are set.
  void restore(std::span<std::uint8_t> x) const;

 private:
  /// A variable that is fixed, or follows from a product of other variables.
  struct Step {
    std::int32_t variable;
    std::uint8_t value;                 // its value if the product is 1
    std::vector<std::int32_t> factors;  // of the product; empty: fixed
  };

  bool round();

  WholePolynomial p_;  // of the remaining variables
  std::vector<Step> steps_;
  std::vector<bool> removed_;
  std::vector<std::int32_t> variables_;
};

}  // namespace oa::solve
