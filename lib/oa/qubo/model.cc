#include "oa/qubo/model.h"

#include "oa/base/exact_product.h"
#include "oa/base/index.h"

namespace oa::qubo {

Model model_of(Polynomial p) {
  Model model{Quadratic(p.n)};
  Terms pairs;
  std::vector<Term> fields;
  ExactSum constant;
  for (Monomial& m : p.monomials) {
    switch (m.variables.size()) {
      case 0: constant.add(m.weight); break;
      case 1: fields.push_back({m.variables[0], m.variables[0], m.weight}); break;
      case 2: pairs.push_back({m.variables[0], m.variables[1], m.weight}); break;
      default: model.higher.push_back(std::move(m));
    }
  }
  Quadratic& f = model.f;
  f.vartype = p.vartype;
  f.sense = p.sense;
  f.names = std::move(p.names);
  f.add(pairs);
  f.add_linear(fields);
  f.add_constant(constant);
  model.constraints = std::move(p.constraints);
  model.soft = std::move(p.soft);
  model.integers = std::move(p.integers);
  return model;
}

Polynomial polynomial_of(const Model& model) {
  const Quadratic& f = model.f;
  Polynomial p;
  p.n = f.size();
  p.vartype = f.vartype;
  p.sense = f.sense;
  p.names = f.names;
  const auto add = [&](std::vector<std::int32_t> variables, double weight) {
    if (weight != 0.0) {
      p.monomials.push_back({std::move(variables), weight});
    }
  };
  add({}, f.offset);
  for (std::int32_t i = 0; i < f.size(); ++i) {
    add({i}, f.linear[at(i)]);
  }
  for (const Term& t : f.terms()) {
    add({t.first, t.second}, t.weight);
  }
  for (const Term& t : f.rests()) {
    add(t.first == kConstant  ? std::vector<std::int32_t>{}
        : t.first == t.second ? std::vector{t.first}
                              : std::vector{t.first, t.second},
        t.weight);
  }
  p.monomials.insert(p.monomials.end(), model.higher.begin(), model.higher.end());
  p.constraints = model.constraints;
  p.soft = model.soft;
  p.integers = model.integers;
  return p;
}

ExactSum exact_objective(const Model& model, std::span<const std::uint8_t> x) {
  ExactSum sum = exact_energy(model.f, x);
  if (!model.higher.empty()) {
    sum.add(exact_value(model.higher, model.f.vartype, x));
  }
  return sum;
}

ExactSum exact_price(const SoftConstraint& soft, std::span<const std::uint8_t> x) {
  const double by = violation(soft.constraint, Vartype::Binary, x);
  ExactSum sum;
  if (soft.penalty == Penalty::Quadratic) {
    exact_product(by, by, [&](double square) {
      exact_product(soft.price, square, [&](double part) { sum.add(part); });
    });
  } else {
    const double times = soft.penalty == Penalty::Linear ? by : by > 0.0 ? 1.0 : 0.0;
    exact_product(soft.price, times, [&](double part) { sum.add(part); });
  }
  return sum;
}

ExactSum exact_value(const Model& model, std::span<const std::uint8_t> x) {
  ExactSum sum = exact_objective(model, x);
  for (const SoftConstraint& soft : model.soft) {
    if (model.f.sense == Sense::Max) {
      sum.subtract(exact_price(soft, x));
    } else {
      sum.add(exact_price(soft, x));
    }
  }
  return sum;
}

int violated(const Model& model, std::span<const std::uint8_t> x) {
  return violated(model.constraints, model.f.vartype, x);
}

}  // namespace oa::qubo
