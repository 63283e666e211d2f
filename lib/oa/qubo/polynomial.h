#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::qubo {

/// weight times the product of some variables, each once, rising; of none: a constant.
struct Monomial {
  std::vector<std::int32_t> variables;
  double weight = 0.0;
};

enum class Relation : std::uint8_t { Equal, AtMost, AtLeast };

/// sum of weights times variables, compared with `right`.  Weights of a Term count for
/// its first variable.
struct Constraint {
  std::string name;  ///< for messages
  std::vector<Term> terms;
  Relation relation = Relation::Equal;
  double right = 0.0;
};

/// A function of two-valued variables of any degree, with linear constraints.
struct Polynomial {
  int n = 0;
  Vartype vartype = Vartype::Binary;
  Sense sense = Sense::Min;
  std::vector<Monomial> monomials;
  std::vector<Constraint> constraints;
  std::vector<std::string> names;  ///< as qubo::Quadratic has them
};

/// Its value at x, of 0s and 1s: the real number.
[[nodiscard]] ExactSum exact_value(const Polynomial& p,
                                   std::span<const std::uint8_t> x);

/// The number of the first constraint that x violates, or -1.
[[nodiscard]] int violated(const Polynomial& p, std::span<const std::uint8_t> x);

}  // namespace oa::qubo
