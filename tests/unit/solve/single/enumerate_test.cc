#include "oa/solve/single/enumerate.h"

#include "oa/base/index.h"
#include "oa/qubo/program.h"
#include "oa/solve/single/solve_model.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace oa::solve {
namespace {

using test::below;

/// Whole numbers, doubles, or numbers of any size.
double some_weight(Rng& rng, int kind) {
  return kind == 0   ? below(rng, 7) - 3
         : kind == 1 ? rng.normal()
                     : rng.normal() * std::pow(10.0, below(rng, 600) - 310);
}

qubo::Polynomial any_polynomial(Rng& rng, int n) {
  qubo::Polynomial p;
  p.n = n;
  p.vartype = below(rng, 2) == 0 ? qubo::Vartype::Spin : qubo::Vartype::Binary;
  p.sense = below(rng, 2) == 0 ? qubo::Sense::Max : qubo::Sense::Min;
  const int kind = below(rng, 3);
  for (int k = below(rng, 4 * n); k > 0; --k) {
    qubo::Monomial m{{}, some_weight(rng, kind)};
    for (int i = 0; i < n; ++i) {
      if (below(rng, 3) == 0) {
        m.variables.push_back(i);
      }
    }
    p.monomials.push_back(m);
  }
  for (int k = below(rng, 3); k > 0; --k) {
    qubo::Constraint c{"c", {}, static_cast<qubo::Relation>(below(rng, 3)), 0.0};
    const double scale = below(rng, 2) == 0 ? 1.0 : 1.0 / 3.0;
    for (std::int32_t i = 0; i < n; ++i) {
      c.terms.push_back({i, i, scale * (below(rng, 5) - 2)});
      c.right += below(rng, 2) == 0 ? c.terms.back().weight : 0.0;
    }
    p.constraints.push_back(c);
  }
  qubo::make_whole(p, "here");
  return p;
}

/// The sign of a - b, negated if p is maximised.
double compared(const qubo::Polynomial& p,
                const std::vector<std::uint8_t>& a,
                const std::vector<std::uint8_t>& b) {
  ExactSum difference = qubo::exact_value(p, a);
  difference.subtract(qubo::exact_value(p, b));
  return p.sense == qubo::Sense::Max ? -difference.value() : difference.value();
}

/// All x that satisfy the constraints and agree with `fixed`, best first.
std::vector<std::vector<std::uint8_t>> all_in_order(
    const qubo::Polynomial& p, std::span<const std::uint8_t> fixed) {
  std::vector<std::vector<std::uint8_t>> all;
  for (unsigned k = 0; k < 1U << static_cast<unsigned>(p.n); ++k) {
    std::vector<std::uint8_t> x(at(p.n));
    bool agrees = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<std::uint8_t>(k >> (x.size() - 1 - i) & 1U);
      agrees = agrees && (fixed.empty() || fixed[i] == qubo::kFree || fixed[i] == x[i]);
    }
    if (agrees && qubo::violated(p, x) < 0) {
      all.push_back(x);
    }
  }
  std::ranges::stable_sort(
      all, [&](const auto& a, const auto& b) { return compared(p, a, b) < 0.0; });
  return all;
}

}  // namespace

TEST_CASE("trying every x finds the best ones in order, for weights of any size") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const int n = 1 + below(rng, seed % 20 == 0 ? 12 : 7);
    const qubo::Polynomial p = any_polynomial(rng, n);
    std::vector<std::uint8_t> fixed;
    for (int i = 0; i < n && seed % 3 == 0; ++i) {
      fixed.push_back(static_cast<std::uint8_t>(below(rng, 3)));
    }
    const auto expected = all_in_order(p, fixed);
    const Wanted wanted{1 + below(rng, 40), below(rng, 3) == 0};
    const BestOfAll found = best_of_all(p, fixed, wanted, Stop()).value();
    std::size_t optima = 0;
    while (optima < expected.size() &&
           compared(p, expected[optima], expected[0]) == 0.0) {
      ++optima;
    }
    CHECK((found.optima == optima || wanted.most > 1));
    const std::size_t count =
        std::min(at(wanted.most), wanted.optima ? optima : expected.size());
    REQUIRE(found.best.size() == count);
    for (std::size_t k = 0; k < count; ++k) {
      CHECK(found.best[k].x == expected[k]);
    }
  }
}

TEST_CASE("a problem of 20 variables is proved, whatever its numbers") {
  Rng rng(5);
  qubo::Quadratic f(kMaxTried);
  std::vector<qubo::Term> terms;
  for (std::int32_t i = 0; i < f.size(); ++i) {
    for (std::int32_t k = i; k < f.size(); ++k) {
      terms.push_back({i, k, some_weight(rng, 2)});
    }
  }
  f.add(terms);
  const ModelResult found = solve_model(f, {.method = find_method("auto")}, rng, {});
  CHECK(found.status == qubo::Status::ProvedOptimal);
  const std::vector<std::uint8_t>& best = found.best.front().x;
  const qubo::Polynomial p = qubo::polynomial_of(f);
  for (std::size_t i = 0; i < best.size(); ++i) {  // no flip of one or two is better
    for (std::size_t k = i; k < best.size(); ++k) {
      std::vector<std::uint8_t> x = best;
      x[i] ^= 1U;
      x[k] ^= i == k ? 0U : 1U;
      CHECK(compared(p, best, x) <= 0.0);
    }
  }
  ModelSettings several{.method = find_method("exact")};
  several.solver.top = 1000;
  const ModelResult list = solve_model(f, several, rng, {});
  REQUIRE(list.best.size() == 1000);
  CHECK(list.best.front().x == best);
  for (std::size_t k = 1; k < list.best.size(); ++k) {
    CHECK(compared(p, list.best[k - 1].x, list.best[k].x) <= 0.0);
  }
}

TEST_CASE("many equal optima are counted, and the first are listed") {
  qubo::Polynomial p;
  p.n = 16;
  p.monomials = {{{0}, 1e300}, {{1}, 1e-300}, {{0, 1}, 1.0}};
  const BestOfAll all = best_of_all(p, {}, {5, true}, Stop()).value();
  CHECK(all.optima == 1U << 14U);
  REQUIRE(all.best.size() == 5);
  CHECK(all.best[4].x[13] == 1);
  // Beyond the optima come those with the next value.
  const BestOfAll more = best_of_all(p, {}, {(1 << 14) + 2}, Stop()).value();
  REQUIRE(more.best.size() == (1U << 14U) + 2);
  CHECK(more.best.back().energy == 1e-300);
  CHECK(more.best.back().x[15] == 1);
}

TEST_CASE("if nothing satisfies all constraints, that is proved") {
  qubo::Polynomial p;
  p.n = 3;
  p.monomials = {{{0}, -1.0}};
  p.constraints = {{"one", {{0, 0, 1.0}, {1, 1, 1.0}}, qubo::Relation::Equal, 1.0},
                   {"two", {{0, 0, 1.0}, {1, 1, -1.0}}, qubo::Relation::Equal, 0.0}};
  const auto found =
      solve_by_enumeration(p, {}, {}, {.method = find_method("auto")}, {});
  REQUIRE(found);
  CHECK(found->status == qubo::Status::ProvedOptimal);
  CHECK(found->optima == 0);
  CHECK(qubo::violated(p, found->best.front().x) >= 0);
}

}  // namespace oa::solve
