#include "oa/solve/polynomial/enumerate.h"

#include "oa/base/index.h"
#include "ref/random_polynomial.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace oa::solve {
namespace {

std::vector<Enumerated::One> all_values(const WholePolynomial& p) {
  std::vector<Enumerated::One> all;
  for (std::uint64_t k = 0; k < std::uint64_t{1} << p.n; ++k) {
    all.push_back({p.value(ref::nth_x(k, p.n)), k});
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("an enumeration finds the first and number of all optima") {
    test::each_fork(Rng(33), 120, [&](Rng& rng, int seed) {
      const int n = 1 + seed % 14;
      qubo::Polynomial q = ref::random_polynomial(rng, n, 5);
      for (qubo::Monomial& m : q.monomials) {
        const int digits = std::array{0, 40, 80}[at(seed % 3)];
        m.weight *= 1.0 + (rng.below(2) == 0 ? 0.0 : std::ldexp(1.0, digits));
      }
      const WholePolynomial p = in_whole_numbers(q);
      const auto all = all_values(p);
      const auto least =
          std::ranges::count(all, all.front().value, &Enumerated::One::value);
      for (const int top : {1, 3, 50}) {
        for (const int threads : {1, 3}) {
          const Enumerated found = enumerate(p, top, threads, {});
          const auto wanted = std::min(all.size(), static_cast<std::size_t>(top));
          REQUIRE(found.complete);
          REQUIRE(std::ranges::equal(found.best, std::span(all).first(wanted)));
          REQUIRE(found.optima == static_cast<std::uint64_t>(least));
        }
      }
    });
  }
}

}  // namespace oa::solve
