// Problems as values of Python: products, constraints, and what is pickled.
#include "arrays.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/polynomial_formats.h"
#include "problem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <new>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

/// The variables of a product, and its weight.
using MonomialOf = std::pair<std::vector<std::int32_t>, double>;

/// A sum of weighted variables, compared with a number: (name, variables, weights,
/// relation, right), where the relation is "==", "<=" or ">=".
using ConstraintOf = std::tuple<std::string,
                                std::vector<std::int32_t>,
                                std::vector<double>,
                                std::string,
                                double>;

constexpr std::array kRelations{std::pair{"==", qubo::Relation::Equal},
                                std::pair{"<=", qubo::Relation::AtMost},
                                std::pair{">=", qubo::Relation::AtLeast}};

qubo::Constraint constraint_of(const ConstraintOf& from) {
  const auto& [name, variables, weights, relation, right] = from;
  qubo::Constraint c{name, {}, qubo::Relation::Equal, right};
  for (const auto& [text, meaning] : kRelations) {
    c.relation = relation == text ? meaning : c.relation;
  }
  for (std::size_t k = 0; k < variables.size(); ++k) {
    c.terms.push_back({variables[k], variables[k], weights[k]});
  }
  return c;
}

/// The sum of terms: of a pair, linear if both variables are equal, or constant if they
/// are kConstant.
qubo::Quadratic sum_of(int n,
                       qubo::Vartype vartype,
                       qubo::Sense sense,
                       std::span<const qubo::Term> terms) {
  qubo::Quadratic f(n);
  f.vartype = vartype;
  f.sense = sense;
  qubo::Terms pairs;
  std::vector<qubo::Term> linear;
  double total = 0.0;
  for (const qubo::Term& t : terms) {
    total += std::abs(t.weight);
    if (t.first != t.second) {
      pairs.push_back(t);
    } else if (t.first != qubo::kConstant) {
      linear.push_back(t);
    }
  }
  io::check_total(total, "Q");
  for (const qubo::Term& t : terms) {
    if (t.first == qubo::kConstant) {
      f.add_constant(t.weight);
    }
  }
  f.add(pairs);
  f.add_linear(linear);
  return f;
}

/// A sum of products, perhaps under linear constraints.
Problem of_monomials(int n,
                     const std::vector<MonomialOf>& monomials,
                     const std::vector<ConstraintOf>& constraints,
                     bool spin,
                     bool max) {
  qubo::Polynomial p;
  p.n = n;
  p.vartype = vartype_of(spin);
  p.sense = sense_of(max);
  for (const auto& [variables, weight] : monomials) {
    if (weight != 0.0) {
      io::add_monomial(p, variables, weight);
    }
  }
  std::ranges::transform(constraints, std::back_inserter(p.constraints), constraint_of);
  return {io::checked_model(std::move(p), "Q")};
}

std::vector<MonomialOf> listed(std::span<const qubo::Monomial> monomials) {
  std::vector<MonomialOf> all;
  for (const qubo::Monomial& m : monomials) {
    all.emplace_back(m.variables, m.weight);
  }
  return all;
}

std::vector<ConstraintOf> listed(std::span<const qubo::Constraint> constraints) {
  std::vector<ConstraintOf> all;
  for (const qubo::Constraint& c : constraints) {
    std::vector<std::int32_t> variables;
    std::vector<double> weights;
    for (const qubo::Term& t : c.terms) {
      variables.push_back(t.first);
      weights.push_back(t.weight);
    }
    all.emplace_back(c.name,
                     std::move(variables),
                     std::move(weights),
                     kRelations.at(static_cast<std::size_t>(c.relation)).first,
                     c.right);
  }
  return all;
}

/// The same constraints without tolerances: the bounds move instead.
std::vector<qubo::Constraint> exact(std::span<const qubo::Constraint> constraints) {
  std::vector<qubo::Constraint> all;
  for (const qubo::Constraint& c : constraints) {
    if (c.tolerance == 0.0) {
      all.push_back(c);
      continue;
    }
    for (const auto& [relation, sign] :
         {std::pair{qubo::Relation::AtMost, 1.0}, {qubo::Relation::AtLeast, -1.0}}) {
      if (c.relation == qubo::Relation::Equal || c.relation == relation) {
        all.push_back({c.name, c.terms, relation, c.right + sign * c.tolerance});
      }
    }
  }
  return all;
}

/// The monomials and constraints that of_monomials() takes; none of a quadratic
/// function.
nb::object polynomial_of(const Problem& problem) {
  if (problem.model.quadratic()) {
    return nb::none();
  }
  const qubo::Polynomial p = qubo::polynomial_of(problem.model);
  return nb::make_tuple(listed(p.monomials), listed(exact(p.constraints)));
}

/// A problem as values that Python pickles.
nb::tuple state_of(const Problem& problem) {
  const qubo::Quadratic& f = problem.model.f;
  std::vector<qubo::Term> terms = f.terms();
  for (std::int32_t i = 0; i < f.size(); ++i) {
    terms.push_back({i, i, f.linear[static_cast<std::size_t>(i)]});
  }
  terms.push_back({qubo::kConstant, qubo::kConstant, f.offset});
  terms.insert(terms.end(), f.rests().begin(), f.rests().end());
  std::vector<double> tolerances;
  for (const qubo::Constraint& c : problem.model.constraints) {
    tolerances.push_back(c.tolerance);
  }
  return nb::make_tuple(problem.size(),
                        problem.spin(),
                        f.sense == qubo::Sense::Max,
                        f.names,
                        problem.format,
                        arrays_of(terms),
                        listed(problem.model.higher),
                        listed(problem.model.constraints),
                        tolerances);
}

std::vector<qubo::Term> terms_of(const nb::tuple& arrays) {
  const auto first = nb::cast<Row<std::int32_t>>(arrays[0]);
  const auto second = nb::cast<Row<std::int32_t>>(arrays[1]);
  const auto weights = nb::cast<Row<double>>(arrays[2]);
  std::vector<qubo::Term> terms;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    terms.push_back({first.data()[k], second.data()[k], weights.data()[k]});
  }
  return terms;
}

void restore(Problem& problem, const nb::tuple& state) {
  qubo::Model model(sum_of(nb::cast<int>(state[0]),
                           vartype_of(nb::cast<bool>(state[1])),
                           sense_of(nb::cast<bool>(state[2])),
                           terms_of(state[5])));
  model.f.names = nb::cast<std::vector<std::string>>(state[3]);
  for (auto& [variables, weight] : nb::cast<std::vector<MonomialOf>>(state[6])) {
    model.higher.push_back({std::move(variables), weight});
  }
  const auto tolerances = nb::cast<std::vector<double>>(state[8]);
  for (const ConstraintOf& c : nb::cast<std::vector<ConstraintOf>>(state[7])) {
    model.constraints.push_back(constraint_of(c));
    model.constraints.back().tolerance = tolerances[model.constraints.size() - 1];
  }
  new (&problem) Problem{std::move(model), nb::cast<std::string>(state[4])};
}

}  // namespace

void declare_state(nb::class_<Problem>& problem, nb::module_& m) {
  problem.def_prop_ro("polynomial", polynomial_of)
      .def("__getstate__", state_of)
      .def("__setstate__", restore);
  m.def("of_monomials", of_monomials);
}

}  // namespace oa::python
