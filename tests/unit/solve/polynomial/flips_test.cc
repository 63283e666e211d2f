#include "oa/solve/polynomial/flips.h"

#include "oa/base/index.h"
#include "ref/random_polynomial.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

namespace oa::solve {

TEST_SUITE("solve") {
  TEST_CASE("gains of a polynomial are right after every flip") {
    test::each_fork(Rng(32), 100, [&](Rng& rng, int seed) {
      const int n = 1 + seed % 9;
      const WholePolynomial p = in_whole_numbers(ref::random_polynomial(rng, n, 7));
      const FlipTable table(p);
      REQUIRE(table.shift() == 0);
      FlipState state(table);
      for (int step = 0; step < 50; ++step) {
        std::vector<std::uint8_t> x(state.x().begin(), state.x().end());
        const Whole value = p.value(x);
        REQUIRE(Whole{state.value()} + p.constant == value);
        for (int i = 0; i < n; ++i) {
          x[at(i)] ^= 1U;
          REQUIRE(Whole{state.gains()[at(i)]} == p.value(x) - value);
          x[at(i)] ^= 1U;
        }
        state.flip(test::below(rng, n));
      }
    });
  }

  TEST_CASE("weights of many digits are rounded to 64 bits") {
    qubo::Polynomial p;
    p.n = 2;
    p.monomials = {{{0, 1}, 0x1p90}, {{0}, -1.0}};
    FlipTable table(in_whole_numbers(p));
    FlipState state(table);
    CHECK(table.shift() > 0);
    state.flip(0);
    CHECK(state.gains()[1] > std::int64_t{1} << 55);
  }
}

}  // namespace oa::solve
