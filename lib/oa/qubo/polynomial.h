#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/pairs.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::qubo {

/// weight times the product of some variables, each once, in rising order; without
/// variables a constant.
struct Monomial {
  std::vector<std::int32_t> variables;
  double weight = 0.0;
};

/// A whole number as a sum of 0/1 variables: `low` plus the weights of its digits that
/// are 1.  Every combination of digits is a value of the number.
struct Integer {
  std::string name;
  double low = 0.0;
  std::vector<Term> digits;  ///< linear terms, largest weight first

  /// True if no two combinations have the same value.
  [[nodiscard]] bool unique() const;
};

/// Weights that add up to every whole number from 0 to `range`, below 2^53, largest
/// first.  Each is half of what remains, rounded up.
[[nodiscard]] std::vector<double> digit_weights(double range);

/// The value at x, of 0s and 1s.
[[nodiscard]] double value_of(const Integer& integer, std::span<const std::uint8_t> x);

/// Sets the digits in x to a value that the number has.  Equal values get equal digits.
void set_value(const Integer& integer, double value, std::span<std::uint8_t> x);

enum class Relation : std::uint8_t { Equal, AtMost, AtLeast };

/// A sum of weights times variables and products, compared with `right`, which it may
/// miss by the tolerance.  The weight of a Term belongs to its first variable.
struct Constraint {
  std::string name;  ///< for messages
  std::vector<Term> terms;
  Relation relation = Relation::Equal;
  double right = 0.0;
  double tolerance = 0.0;
  std::vector<Monomial> products = {};  ///< of two or more variables
};

/// How the price of a violated constraint grows.
enum class Penalty : std::uint8_t {
  Flat,      ///< it does not
  Linear,    ///< with the violation
  Quadratic  ///< with its square
};

/// A constraint that may be violated for a price, which makes the value worse.
struct SoftConstraint {
  Constraint constraint;
  double price = 0.0;  ///< at least 0; of any violation, or of a violation by 1
  Penalty penalty = Penalty::Flat;
};

/// A function of binary or spin variables of any degree, with constraints.  Soft
/// constraints and products in constraints are for binary variables.
struct Polynomial {
  int n = 0;
  Vartype vartype = Vartype::Binary;
  Sense sense = Sense::Min;
  std::vector<Monomial> monomials;
  std::vector<Constraint> constraints;
  std::vector<std::string> names;  ///< as qubo::Quadratic has them
  std::vector<SoftConstraint> soft = {};
  std::vector<Integer> integers = {};
};

/// How far x, of 0s and 1s, is from satisfying c, beyond the tolerance; 0 if it does.
[[nodiscard]] double violation(const Constraint& c,
                               Vartype vartype,
                               std::span<const std::uint8_t> x);

/// The exact value at x, of 0s and 1s, without soft constraints.
[[nodiscard]] ExactSum exact_value(const Polynomial& p,
                                   std::span<const std::uint8_t> x);

/// The number of the first constraint that x violates, or -1.
[[nodiscard]] int violated(std::span<const Constraint> constraints,
                           Vartype vartype,
                           std::span<const std::uint8_t> x);
[[nodiscard]] int violated(const Polynomial& p, std::span<const std::uint8_t> x);

/// The exact sum of monomials at x, of 0s and 1s.
[[nodiscard]] ExactSum exact_value(std::span<const Monomial> monomials,
                                   Vartype vartype,
                                   std::span<const std::uint8_t> x);

}  // namespace oa::qubo
