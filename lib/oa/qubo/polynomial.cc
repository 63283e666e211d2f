#include "oa/qubo/polynomial.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace oa::qubo {
namespace {

double value_of(std::uint8_t bit, Vartype vartype) {
  return bit != 0 ? 1.0 : vartype == Vartype::Spin ? -1.0 : 0.0;
}

}  // namespace

double violation(const Constraint& c,
                 Vartype vartype,
                 std::span<const std::uint8_t> x) {
  ExactSum sum = exact_value(c.products, vartype, x);
  sum.add(-c.right);
  for (const Term& t : c.terms) {
    sum.add(t.weight * value_of(x[at(t.first)], vartype));
  }
  const double above = sum.value();
  switch (c.relation) {
    case Relation::Equal: return std::max(std::abs(above) - c.tolerance, 0.0);
    case Relation::AtMost: return std::max(above - c.tolerance, 0.0);
    case Relation::AtLeast: return std::max(-above - c.tolerance, 0.0);
  }
  return 0.0;
}

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
    if (violation(constraints[k], vartype, x) > 0.0) {
      return static_cast<int>(k);
    }
  }
  return -1;
}

int violated(const Polynomial& p, std::span<const std::uint8_t> x) {
  return violated(p.constraints, p.vartype, x);
}

bool Integer::unique() const {
  double sum = 0.0;
  for (const Term& digit : digits) {
    sum += digit.weight;
  }
  return digits.empty() ||
         sum == digits.back().weight * (std::exp2(std::ssize(digits)) - 1.0);
}

std::vector<double> digit_weights(double range) {
  std::vector<double> weights;
  for (double left = range; left > 0.0; left -= weights.back()) {
    weights.push_back(std::ceil(0.5 * left));
  }
  return weights;
}

double value_of(const Integer& integer, std::span<const std::uint8_t> x) {
  double value = integer.low;
  for (const Term& digit : integer.digits) {
    value += x[at(digit.first)] != 0 ? digit.weight : 0.0;
  }
  return value;
}

void set_value(const Integer& integer, double value, std::span<std::uint8_t> x) {
  double left = value - integer.low;
  for (const Term& digit : integer.digits) {
    const bool one = digit.weight <= left;
    x[at(digit.first)] = one ? 1 : 0;
    left -= one ? digit.weight : 0.0;
  }
}

}  // namespace oa::qubo
