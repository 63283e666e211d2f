#pragma once

#include "oa/qubo/polynomial.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::io {

/// A variable x, or 1 - x.
struct Literal {
  std::int32_t variable = 0;
  bool negated = false;
};

/// The most negated literals of a product, which has 2^n monomials.
inline constexpr int kMostNegated = 16;

/// Sorts literals and removes copies.  False if a variable and its negation are there.
[[nodiscard]] bool simplify(std::vector<Literal>& literals);

/// Adds weight times the product of simplified literals to the objective.
void add_product(qubo::Polynomial& p, double weight, std::span<const Literal> literals);

/// "At least one of simplified literals is true" as a linear constraint.
[[nodiscard]] qubo::Constraint clause_of(std::string name,
                                         std::span<const Literal> literals);

/// Adds weight if no literal is true: a product, or for many positive literals a
/// variable `extra`, which is then used and increased.
void add_soft_clause(qubo::Polynomial& p,
                     double weight,
                     std::string name,
                     std::span<const Literal> literals,
                     std::int32_t& extra);

}  // namespace oa::io
