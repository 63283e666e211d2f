#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/pairs.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::qubo {

/// weight times the product of distinct variables in ascending order;
/// a constant if there are no variables.
struct Monomial {
  std::vector<std::int32_t> variables;
  double weight = 0.0;
};

/// A whole number: `low` plus the weights of those digits (0/1 variables) that are 1.
/// Any combination of digits is valid.
struct Integer {
  std::string name;
  double low = 0.0;
  std::vector<Term> digits;  ///< linear terms, largest weight first

  /// True if combinations of digits have distinct values.
  [[nodiscard]] bool unique() const;
};

/// Returns weights whose partial sums cover 0 to `range`, below 2^53, largest first.
/// Each weight is half of the remainder, rounded up.
[[nodiscard]] std::vector<double> digit_weights(double range);

/// Returns the integer's value at x, which holds 0s and 1s.
[[nodiscard]] double value_of(const Integer& integer, std::span<const std::uint8_t> x);

/// Sets the digits in x to a reachable value.  Equal values get equal digits.
void set_value(const Integer& integer, double value, std::span<std::uint8_t> x);

enum class Relation : std::uint8_t { Equal, AtMost, AtLeast };

/// A weighted sum of variables and products, compared with `right` up to `tolerance`.
/// The weight of a Term belongs to its first variable.
struct Constraint {
  std::string name;  ///< for messages
  std::vector<Term> terms;
  Relation relation = Relation::Equal;
  double right = 0.0;
  double tolerance = 0.0;
  std::vector<Monomial> products = {};  ///< of two or more variables
};

/// How the price grows with the violation of a constraint.
enum class Penalty : std::uint8_t {
  Flat,      ///< constant
  Linear,    ///< with the violation
  Quadratic  ///< with its square
};

/// A constraint whose violation costs a price, added to the minimised value.
struct SoftConstraint {
  Constraint constraint;
  double price = 0.0;  ///< >= 0: of any violation (Flat), else of a violation by 1
  Penalty penalty = Penalty::Flat;
};

/// A polynomial of binary or spin variables with constraints.  Soft constraints and
/// products in constraints need binary variables.
struct Polynomial {
  int n = 0;
  Vartype vartype = Vartype::Binary;
  Sense sense = Sense::Min;
  std::vector<Monomial> monomials;
  std::vector<Constraint> constraints;
  std::vector<std::string> names;  ///< as in qubo::Quadratic
  std::vector<SoftConstraint> soft = {};
  std::vector<Integer> integers = {};
};

/// The amount by which x (0s and 1s) violates c, beyond the tolerance; else 0.
[[nodiscard]] double violation(const Constraint& c,
                               Vartype vartype,
                               std::span<const std::uint8_t> x);

/// Returns the exact value at x (0s and 1s), without the prices of soft constraints.
[[nodiscard]] ExactSum exact_value(const Polynomial& p,
                                   std::span<const std::uint8_t> x);

/// The index of the first constraint that x violates, or -1.
[[nodiscard]] int violated(std::span<const Constraint> constraints,
                           Vartype vartype,
                           std::span<const std::uint8_t> x);
[[nodiscard]] int violated(const Polynomial& p, std::span<const std::uint8_t> x);

/// Returns the exact sum of monomials at x, which holds 0s and 1s.
[[nodiscard]] ExactSum exact_value(std::span<const Monomial> monomials,
                                   Vartype vartype,
                                   std::span<const std::uint8_t> x);

}  // namespace oa::qubo
