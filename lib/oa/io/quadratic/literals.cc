#include "oa/io/quadratic/polynomial_formats.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace oa::io {

bool simplify(std::vector<Literal>& literals) {
  const auto key = [](const Literal& l) { return std::tuple(l.variable, l.negated); };
  std::ranges::sort(literals, {}, key);
  const auto again = std::ranges::unique(literals, {}, key);
  literals.erase(again.begin(), again.end());
  return std::ranges::adjacent_find(literals, {}, &Literal::variable) == literals.end();
}

void add_product(qubo::Polynomial& p,
                 double weight,
                 std::span<const Literal> literals) {
  std::vector<qubo::Monomial> all{{{}, weight}};
  for (const Literal& l : literals) {
    const std::size_t before = all.size();
    for (std::size_t k = 0; k < before; ++k) {
      if (l.negated) {  // m (1 - x)
        all.push_back({all[k].variables, -all[k].weight});
        all.back().variables.push_back(l.variable);
      } else {
        all[k].variables.push_back(l.variable);
      }
    }
  }
  std::ranges::move(all, std::back_inserter(p.monomials));
}

qubo::Constraint clause_of(std::string name, std::span<const Literal> literals) {
  qubo::Constraint c{std::move(name), {}, qubo::Relation::AtLeast, 1.0};
  for (const Literal& l : literals) {
    c.terms.push_back({l.variable, l.variable, l.negated ? -1.0 : 1.0});
    c.right -= l.negated ? 1.0 : 0.0;
  }
  return c;
}

void add_soft_clause(qubo::Polynomial& p,
                     double weight,
                     std::string name,
                     std::span<const Literal> literals,
                     std::int32_t& extra) {
  constexpr int kMaxPositive = 10;
  const auto positive = std::ranges::count(literals, false, &Literal::negated);
  if (positive > kMaxPositive) {
    qubo::Constraint c = clause_of(std::move(name), literals);
    c.terms.push_back({extra, extra, 1.0});
    p.constraints.push_back(std::move(c));
    p.monomials.push_back({{extra}, weight});
    ++extra;
    return;
  }
  std::vector<Literal> none(literals.begin(), literals.end());
  for (Literal& l : none) {
    l.negated = !l.negated;
  }
  add_product(p, weight, none);
}

}  // namespace oa::io
