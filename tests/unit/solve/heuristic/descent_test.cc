#include "oa/solve/heuristic/descent.h"

#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <utility>

namespace oa::solve {
namespace {

qubo::Quadratic binary_minimum(Rng& rng, int n) {
  qubo::Quadratic f = ref::random_quadratic(rng, n);
  f = qubo::converted(f, qubo::Vartype::Binary).f;
  return f.sense == qubo::Sense::Max ? qubo::negated(std::move(f)) : f;
}

/// By the definition.
std::vector<std::uint8_t> plain_descent(const qubo::Quadratic& f,
                                        std::vector<std::uint8_t> x) {
  for (;;) {
    double least = qubo::energy(f, x);
    std::size_t best = x.size();
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] ^= 1;
      if (const double there = qubo::energy(f, x); there < least) {
        least = there;
        best = i;
      }
      x[i] ^= 1;
    }
    if (best == x.size()) {
      return x;
    }
    x[best] ^= 1;
  }
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("a descent takes the best flip each time, until no flip helps") {
    test::each_fork(Rng(3), 200, [&](Rng& rng, int t) {
      const auto f = binary_minimum(rng, 1 + test::below(rng, 40));
      std::vector<std::uint8_t> x(f.linear.size());
      for (auto& bit : x) {
        bit = static_cast<std::uint8_t>(t % 2 == 0 ? 0 : rng.below(2));
      }
      const auto found = descend(f, x, {});
      // Rounded sums may resolve ties in another order.
      CHECK(qubo::energy(f, found) ==
            doctest::Approx(qubo::energy(f, plain_descent(f, x))).epsilon(1e-9));
      CHECK(plain_descent(f, found) == found);
    });
  }

  TEST_CASE("a descent that is stopped before it begins keeps its start") {
    Rng rng(4);
    const auto f = binary_minimum(rng, 30);
    const std::vector<std::uint8_t> x(30, 1);
    CHECK(descend(f, x, Stop({}, 0.0)) == x);
  }
}

}  // namespace oa::solve
