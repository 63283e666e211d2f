#include "oa/solve/recover/products.h"

#include "oa/base/rng.h"
#include "ref/random_polynomial.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <utility>

namespace oa::solve {
namespace {

/// -3 x0 + 2 x1 - x2 and, for z = x3 = x0 x1, its penalty, with `rest` z x2 beside.
qubo::Quadratic with_penalty(double penalty, double rest) {
  qubo::Quadratic f(4);
  f.linear = {-3.0, 2.0, -1.0, 3.0 * penalty};
  f.add(qubo::Terms{
      {0, 3, -2.0 * penalty}, {1, 3, -2.0 * penalty}, {0, 1, penalty}, {2, 3, rest}});
  return f;
}

double least_of(const qubo::Quadratic& f) {
  double least = qubo::energy(f, ref::nth_x(0, f.size()));
  for (std::uint64_t k = 1; k < std::uint64_t{1} << f.size(); ++k) {
    const double energy = qubo::energy(f, ref::nth_x(k, f.size()));
    least = qubo::better(f.sense, energy, least) ? energy : least;
  }
  return least;
}

/// Values of the polynomial are those of f, and it has the least of them.
void check_same(const qubo::Quadratic& f, const Products& found) {
  double best = 0.0;
  for (std::uint64_t k = 0; k < std::uint64_t{1} << found.p.n; ++k) {
    const auto x = ref::nth_x(k, found.p.n);
    const auto whole = found.whole(x);
    const double value = qubo::exact_value(found.p, x).value();
    REQUIRE(value == qubo::energy(f, whole));
    REQUIRE(found.part(whole) == x);
    best = k == 0 || qubo::better(f.sense, value, best) ? value : best;
  }
  REQUIRE(best == least_of(f));
}

/// A random function with products of products, last.
qubo::Quadratic random_with_products(Rng& rng, double penalty) {
  const int n = 3 + test::below(rng, 3);
  const int products = 1 + test::below(rng, 4);
  qubo::Quadratic f(n + products);
  f.sense = rng.below(2) == 0 ? qubo::Sense::Min : qubo::Sense::Max;
  const double sign = f.sense == qubo::Sense::Min ? 1.0 : -1.0;
  std::vector<qubo::Term> terms;
  for (int k = 0; k < 12; ++k) {
    const auto i = test::below(rng, f.size());
    const auto j = test::below(rng, f.size());
    terms.push_back({i, j, static_cast<double>(rng.below(7)) - 3.0});
  }
  for (std::int32_t z = n; z < f.size(); ++z) {
    const auto x = test::below(rng, z);
    const auto y = test::below(rng, z - 1);
    const std::int32_t other = y < x ? y : y + 1;
    terms.push_back({z, z, 3.0 * sign * penalty});
    terms.push_back({x, z, -2.0 * sign * penalty});
    terms.push_back({other, z, -2.0 * sign * penalty});
    terms.push_back({x, other, sign * penalty});
  }
  f.add(terms);
  return f;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("a product is recovered if its penalty is just large enough") {
    for (const double rest : {-4.0, 4.0}) {
      CAPTURE(rest);
      // Beside z is rest * x2: z = 1 costs 3P, P or -P.
      const Products found = find_products(with_penalty(4.0, rest), false, {});
      REQUIRE(found.products.size() == 1);
      CHECK(found.products[0].variable == 3);
      CHECK(found.kept == std::vector<std::int32_t>{0, 1, 2});
      check_same(with_penalty(4.0, rest), found);
      CHECK(find_products(with_penalty(3.999, rest), false, {}).products.empty());
    }
  }

  TEST_CASE("where the smallest optimum is wanted, penalties must be larger") {
    CHECK(find_products(with_penalty(4.5, 4.0), true, {}).products.size() == 1);
    CHECK(find_products(with_penalty(4.0, 4.0), true, {}).products.empty());
  }

  TEST_CASE("recovered polynomials have the values and minima of the function") {
    int recovered = 0;
    test::each_fork(Rng(35), 300, [&](Rng& rng, int seed) {
      qubo::Quadratic f = random_with_products(rng, 1.0 + 6.0 * rng.below(8));
      if (seed % 4 == 0) {
        f = qubo::converted(f, qubo::Vartype::Spin).f;
      }
      const Products found = find_products(f, false, {});
      recovered += static_cast<int>(found.products.size());
      if (!found.products.empty()) {
        check_same(f, found);
      }
    });
    CHECK(recovered > 300);
  }

  TEST_CASE("products of products are recovered, whatever their order") {
    // x0 x1 x2 x3 x4 with the same small penalty at each step, in two numberings.
    for (const bool last : {false, true}) {
      CAPTURE(last);
      qubo::Quadratic f(9);
      const auto name = [&](int i) { return last ? i : 8 - i; };
      std::vector<qubo::Term> terms;
      int z = 0;
      for (int k = 0; k < 4; ++k) {
        const int product = 5 + k;
        const int x = k == 0 ? z : 4 + k;
        terms.push_back({name(product), name(product), 3.0 * 2.0});
        terms.push_back({name(product), name(x), -2.0 * 2.0});
        terms.push_back({name(product), name(k + 1), -2.0 * 2.0});
        terms.push_back({name(x), name(k + 1), 2.0});
      }
      terms.push_back({name(8), name(8), -2.0});
      for (qubo::Term& t : terms) {
        if (t.first > t.second) {
          std::swap(t.first, t.second);
        }
      }
      f.add(terms);
      const Products found = find_products(f, false, {});
      CHECK(found.products.size() == 4);
      CHECK(find_products(f, true, {}).products.size() == (last ? 4 : 0));
      check_same(f, found);
    }
  }

  TEST_CASE("factors that are products of each other stay") {
    // 9 (x0 - x1)^2 - 3 x0 x1 and more like it: every variable is a product of two.
    qubo::Quadratic f(3);
    f.linear = {2.0, 2.0, 2.0};
    f.add(qubo::Terms{{0, 1, -1.5}, {0, 2, -1.5}, {1, 2, -1.5}});
    const Products found = find_products(f, false, {});
    CHECK(found.p.n >= 1);
    check_same(f, found);
  }
}

}  // namespace oa::solve
