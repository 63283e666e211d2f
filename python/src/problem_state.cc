// Problems as values of Python: products, constraints, and what is pickled.
#include "arrays.h"
#include "oa/base/error.h"
#include "oa/io/quadratic/columns.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/polynomial_formats.h"
#include "oa/qubo/lowered.h"
#include "problem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <new>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

/// The variables of a product, and its weight.
using MonomialOf = std::pair<std::vector<std::int32_t>, double>;

/// A sum of products, compared with a number: (name, products, relation, right), where
/// the relation is "==", "<=" or ">=".
using ConstraintOf =
    std::tuple<std::string, std::vector<MonomialOf>, std::string, double>;

/// A constraint, its price, and how the price grows: "flat", "linear" or "quadratic".
using SoftOf = std::tuple<ConstraintOf, double, std::string>;

/// The name of an integer, its least value, and the variables and weights of its
/// digits.
using IntegerOf =
    std::tuple<std::string, double, std::vector<std::int32_t>, std::vector<double>>;

/// A variable of a program: its name, "binary", "spin" or "integer", and its bounds.
using ColumnOf = std::tuple<std::string, std::string, double, double>;

constexpr std::array kRelations{std::pair{"==", qubo::Relation::Equal},
                                std::pair{"<=", qubo::Relation::AtMost},
                                std::pair{">=", qubo::Relation::AtLeast}};

constexpr std::array kPenalties{std::pair{"flat", qubo::Penalty::Flat},
                                std::pair{"linear", qubo::Penalty::Linear},
                                std::pair{"quadratic", qubo::Penalty::Quadratic}};

qubo::Constraint constraint_of(const ConstraintOf& from) {
  const auto& [name, products, relation, right] = from;
  qubo::Constraint c{name, {}, qubo::Relation::Equal, right};
  for (const auto& [text, meaning] : kRelations) {
    c.relation = relation == text ? meaning : c.relation;
  }
  for (const auto& [variables, weight] : products) {
    if (variables.size() == 1) {
      c.terms.push_back({variables.front(), variables.front(), weight});
    } else {
      c.products.push_back({variables, weight});
    }
  }
  return c;
}

qubo::SoftConstraint soft_of(const SoftOf& from) {
  const auto& [constraint, price, growth] = from;
  qubo::SoftConstraint soft{constraint_of(constraint), price};
  for (const auto& [text, meaning] : kPenalties) {
    soft.penalty = growth == text ? meaning : soft.penalty;
  }
  return soft;
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

/// A minimisation of a sum of products, in which variables may repeat, of variables of
/// all kinds, under constraints.
Problem of_program(const std::vector<ColumnOf>& variables,
                   const std::vector<MonomialOf>& monomials,
                   const std::vector<ConstraintOf>& constraints,
                   const std::vector<SoftOf>& soft) {
  qubo::Polynomial p;
  std::vector<io::Column> columns;
  std::vector<std::string> names;
  for (const auto& [name, kind, lower, upper] : variables) {
    columns.push_back({true, lower, upper, kind == "spin"});
    names.push_back(name);
  }
  for (const auto& [factors, weight] : monomials) {
    p.monomials.push_back({factors, weight});
  }
  std::ranges::transform(constraints, std::back_inserter(p.constraints), constraint_of);
  std::ranges::transform(soft, std::back_inserter(p.soft), soft_of);
  io::take_columns(p, std::move(columns), names, "Q");
  return {io::checked_model(std::move(p), "Q")};
}

std::vector<MonomialOf> listed(std::span<const qubo::Monomial> monomials) {
  std::vector<MonomialOf> all;
  for (const qubo::Monomial& m : monomials) {
    all.emplace_back(m.variables, m.weight);
  }
  return all;
}

ConstraintOf listed(const qubo::Constraint& c) {
  std::vector<MonomialOf> products = listed(c.products);
  for (const qubo::Term& t : c.terms) {
    products.emplace_back(std::vector{t.first}, t.weight);
  }
  return {c.name,
          std::move(products),
          kRelations.at(static_cast<std::size_t>(c.relation)).first,
          c.right};
}

std::vector<ConstraintOf> listed(std::span<const qubo::Constraint> constraints) {
  std::vector<ConstraintOf> all;
  for (const qubo::Constraint& c : constraints) {
    all.push_back(listed(c));
  }
  return all;
}

std::vector<SoftOf> listed(std::span<const qubo::SoftConstraint> soft) {
  std::vector<SoftOf> all;
  for (const qubo::SoftConstraint& s : soft) {
    all.emplace_back(listed(s.constraint),
                     s.price,
                     kPenalties.at(static_cast<std::size_t>(s.penalty)).first);
  }
  return all;
}

std::vector<IntegerOf> integers_of(const Problem& problem) {
  std::vector<IntegerOf> all;
  for (const qubo::Integer& integer : problem.model.integers) {
    auto& [name, low, places, weights] = all.emplace_back();
    name = integer.name;
    low = integer.low;
    for (const qubo::Term& digit : integer.digits) {
      places.push_back(digit.first);
      weights.push_back(digit.weight);
    }
  }
  return all;
}

/// Returns constraints without tolerances: the bounds move instead.
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

/// The monomials and constraints that of_monomials() takes, which are hard and linear;
/// none of a quadratic function.
std::optional<std::pair<std::vector<MonomialOf>, std::vector<ConstraintOf>>>
polynomial_of(const Problem& problem) {
  if (problem.model.quadratic()) {
    return std::nullopt;
  }
  if (qubo::Lowered::needed(problem.model)) {
    throw InputError(
        "soft constraints, products in constraints or integers (expected none)");
  }
  const qubo::Polynomial p = qubo::polynomial_of(problem.model);
  return std::pair(listed(p.monomials), listed(exact(p.constraints)));
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
  for (const qubo::SoftConstraint& soft : problem.model.soft) {
    tolerances.push_back(soft.constraint.tolerance);
  }
  return nb::make_tuple(problem.size(),
                        problem.spin(),
                        f.sense == qubo::Sense::Max,
                        f.names,
                        problem.format,
                        arrays_of(terms),
                        listed(problem.model.higher),
                        listed(problem.model.constraints),
                        tolerances,
                        listed(problem.model.soft),
                        integers_of(problem));
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
  for (const SoftOf& soft : nb::cast<std::vector<SoftOf>>(state[9])) {
    model.soft.push_back(soft_of(soft));
    model.soft.back().constraint.tolerance =
        tolerances[model.constraints.size() + model.soft.size() - 1];
  }
  for (const auto& [name, low, places, weights] :
       nb::cast<std::vector<IntegerOf>>(state[10])) {
    qubo::Integer& integer = model.integers.emplace_back(qubo::Integer{name, low, {}});
    for (std::size_t k = 0; k < places.size(); ++k) {
      integer.digits.push_back({places[k], places[k], weights[k]});
    }
  }
  new (&problem) Problem{std::move(model), nb::cast<std::string>(state[4])};
}

}  // namespace

void declare_state(nb::class_<Problem>& problem, nb::module_& m) {
  problem.def_prop_ro("polynomial", polynomial_of)
      .def_prop_ro("integers", integers_of)
      .def("__getstate__", state_of)
      .def("__setstate__", restore);
  m.def("of_monomials",
        of_monomials,
        nb::arg("n"),
        nb::arg("monomials"),
        nb::arg("constraints"),
        nb::arg("spin"),
        nb::arg("max"));
  m.def("of_program",
        of_program,
        nb::arg("variables"),
        nb::arg("monomials"),
        nb::arg("constraints"),
        nb::arg("soft"));
}

}  // namespace oa::python
