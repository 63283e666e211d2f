#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/polynomial.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace oa::qubo {

/// A single problem as its file states it: a polynomial of binary or spin variables
/// under constraints.  Integers are digits.  Every format is read into one.
struct Model {
  /// The terms of degree 0 to 2, the sense, and what the variables are.
  Quadratic f;
  std::vector<Monomial> higher;  ///< the terms of degree 3 and more
  std::vector<Constraint> constraints;
  std::vector<SoftConstraint> soft;
  std::vector<Integer> integers;

  Model() = default;
  Model(Quadratic function)
      : f(std::move(function)) {}  // NOLINT: a function is a model

  [[nodiscard]] int size() const { return f.size(); }
  /// True if the model is its function f.
  [[nodiscard]] bool quadratic() const {
    return higher.empty() && constraints.empty() && soft.empty();
  }
};

[[nodiscard]] Model model_of(Polynomial p);

/// The same problem as a list of monomials; remainders of sums are monomials, too.
[[nodiscard]] Polynomial polynomial_of(const Model& model);

/// The exact value at x, of 0s and 1s, with the prices of soft constraints.
[[nodiscard]] ExactSum exact_value(const Model& model, std::span<const std::uint8_t> x);
[[nodiscard]] ExactSum exact_objective(const Model& model,
                                       std::span<const std::uint8_t> x);
/// What x pays for a soft constraint.
[[nodiscard]] ExactSum exact_price(const SoftConstraint& soft,
                                   std::span<const std::uint8_t> x);

/// The number of the first constraint that x violates, or -1.
[[nodiscard]] int violated(const Model& model, std::span<const std::uint8_t> x);

}  // namespace oa::qubo
