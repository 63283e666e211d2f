#include "oa/qubo/defined.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "ref/random_polynomial.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

namespace oa::qubo {
namespace {

/// Minimise y^2 - 3 y x0 + x1 where  y = a sum of products of four variables,  and y
/// has five digits from `low`.
Model with_definition(Rng& rng, double low) {
  Polynomial p;
  p.n = 9;
  const auto weights = digit_weights(24.0);
  Integer y{"y", low, {}};
  for (std::int32_t d = 0; d < 5; ++d) {
    y.digits.push_back({4 + d, 4 + d, weights[at(d)]});
  }
  const auto add_product = [&](double factor, std::vector<std::int32_t> with) {
    for (const Term& d : y.digits) {
      auto product = with;
      product.push_back(d.first);
      p.monomials.push_back({product, factor * d.weight});
    }
    p.monomials.push_back({std::move(with), factor * low});
  };
  for (const Term& d : y.digits) {  // y^2
    for (const Term& e : y.digits) {
      p.monomials.push_back(
          {d.first == e.first
               ? std::vector{d.first}
               : std::vector{std::min(d.first, e.first), std::max(d.first, e.first)},
           d.weight * e.weight});
    }
    p.monomials.push_back({{d.first}, 2.0 * low * d.weight});
  }
  add_product(-3.0, {0});
  p.monomials.push_back({{1}, 1.0});
  Constraint c{"y", {}, Relation::Equal, 0.0};
  for (const Term& d : y.digits) {
    c.terms.push_back({d.first, d.first, -d.weight});
  }
  c.right = low;
  for (std::int32_t i = 0; i < 4; ++i) {
    c.terms.push_back({i, i, static_cast<double>(rng.below(7)) - 3.0});
    c.products.push_back({{std::min(i, (i + 1) % 4), std::max(i, (i + 1) % 4)},
                          static_cast<double>(rng.below(5)) - 2.0});
  }
  p.constraints.push_back(std::move(c));
  p.integers.push_back(std::move(y));
  return model_of(std::move(p));
}

}  // namespace

TEST_SUITE("qubo") {
  TEST_CASE("an integer that an equation defines goes, and comes back with its value") {
    int replaced = 0;
    test::each_fork(Rng(51), 100, [&](Rng& rng, int seed) {
      const Model model = with_definition(rng, seed % 2 == 0 ? -12.0 : -4.0);
      const Defined defined(model);
      if (!defined.any()) {
        return;  // its bounds may forbid values
      }
      ++replaced;
      REQUIRE(defined.model().size() == 4);
      CHECK(defined.model().constraints.empty());
      for (std::uint64_t k = 0; k < 16; ++k) {
        const auto x = ref::nth_x(k, 4);
        const auto all = defined.back(x);
        CHECK(violated(model, all) < 0);
        CHECK(exact_value(model, all).value() ==
              exact_value(defined.model(), x).value());
      }
    });
    CHECK(replaced > 20);
    CHECK(replaced < 100);
  }
}

}  // namespace oa::qubo
