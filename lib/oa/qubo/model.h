#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/polynomial.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace oa::qubo {

/// A single problem as its file states it: a polynomial of binary or spin variables,
/// with constraints.  Digits represent integers.  All formats are read into a Model.
struct Model {
  /// The terms of degree 0 to 2, the sense and the vartype.
  Quadratic f;
  std::vector<Monomial> higher;  ///< the terms of degree 3 and more
  std::vector<Constraint> constraints;
  std::vector<SoftConstraint> soft;
  std::vector<Integer> integers;

  Model() = default;
  Model(Quadratic function)
      : f(std::move(function)) {}  // NOLINT: implicit, a function is a model

  [[nodiscard]] int size() const { return f.size(); }
  /// True if f is the whole model.
  [[nodiscard]] bool quadratic() const {
    return higher.empty() && constraints.empty() && soft.empty();
  }
};

[[nodiscard]] Model model_of(Polynomial p);

/// Returns the model as a list of monomials; remainders of sums also become monomials.
[[nodiscard]] Polynomial polynomial_of(const Model& model);

/// Returns the exact value at x (0s and 1s), with prices of violated soft constraints.
[[nodiscard]] ExactSum exact_value(const Model& model, std::span<const std::uint8_t> x);
[[nodiscard]] ExactSum exact_objective(const Model& model,
                                       std::span<const std::uint8_t> x);
/// The price of x for a soft constraint; 0 if x satisfies it.
[[nodiscard]] ExactSum exact_price(const SoftConstraint& soft,
                                   std::span<const std::uint8_t> x);

/// The index of the first constraint that x violates, or -1.
[[nodiscard]] int violated(const Model& model, std::span<const std::uint8_t> x);

}  // namespace oa::qubo
