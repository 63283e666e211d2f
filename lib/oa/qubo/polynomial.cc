#include "oa/qubo/polynomial.h"

#include "oa/base/index.h"

#include <cmath>

namespace oa::qubo {
namespace {

double value_of(std::uint8_t bit, Vartype vartype) {
  return bit != 0 ? 1.0 : vartype == Vartype::Spin ? -1.0 : 0.0;
}

bool holds(const Constraint& c, Vartype vartype, std::span<const std::uint8_t> x) {
  ExactSum sum;
  sum.add(-c.right);
  for (const Term& t : c.terms) {
    sum.add(t.weight * value_of(x[at(t.first)], vartype));
  }
  const double above = sum.value();
  switch (c.relation) {
    case Relation::Equal: return std::abs(above) <= c.tolerance;
    case Relation::AtMost: return above <= c.tolerance;
    case Relation::AtLeast: return above >= -c.tolerance;
  }
  return false;
}

}  // namespace

ExactSum exact_value(std::span<const Monomial> monomials,
                     Vartype vartype,
                     std::span<const std::uint8_t> x) {
  ExactSum sum;
  for (const Monomial& m : monomials) {
    double product = m.weight;
    for (const std::int32_t i : m.variables) {
      product *= value_of(x[at(i)], vartype);
    }
    sum.add(product);
  }
  return sum;
}

ExactSum exact_value(const Polynomial& p, std::span<const std::uint8_t> x) {
  return exact_value(p.monomials, p.vartype, x);
}

int violated(std::span<const Constraint> constraints,
             Vartype vartype,
             std::span<const std::uint8_t> x) {
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    if (!holds(constraints[k], vartype, x)) {
      return static_cast<int>(k);
    }
  }
  return -1;
}

int violated(const Polynomial& p, std::span<const std::uint8_t> x) {
  return violated(p.constraints, p.vartype, x);
}

}  // namespace oa::qubo
