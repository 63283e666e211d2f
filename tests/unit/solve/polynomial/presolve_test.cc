#include "oa/solve/polynomial/presolve.h"

#include "oa/base/index.h"
#include "ref/random_polynomial.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

namespace oa::solve {

TEST_SUITE("solve") {
  TEST_CASE("presolving a polynomial keeps its lexicographically smallest minimum") {
    int removed = 0;
    test::each_fork(Rng(36), 400, [&](Rng& rng, int seed) {
      qubo::Polynomial q = ref::random_polynomial(rng, 1 + seed % 9, 4);
      if (seed % 2 == 0) {
        q.monomials.resize(
            std::min<std::size_t>(q.monomials.size(), at(q.n)));  // sparse
      }
      q.sense = qubo::Sense::Min;
      const WholePolynomial p = in_whole_numbers(q);
      const PolynomialPresolve presolve(p);
      const WholePolynomial rest = presolve.rest();
      std::vector<std::uint8_t> best = ref::nth_x(0, rest.n);
      for (std::uint64_t k = 1; k < std::uint64_t{1} << rest.n; ++k) {
        const auto y = ref::nth_x(k, rest.n);
        best = rest.value(y) < rest.value(best) ? y : best;
      }
      std::vector<std::uint8_t> x(at(p.n));
      for (std::size_t k = 0; k < best.size(); ++k) {
        x[at(presolve.variables()[k])] = best[k];
      }
      presolve.restore(x);
      REQUIRE(x == ref::best_of_all(q));
      CHECK(rest.energy(best) == p.energy(x));
      removed += p.n - rest.n;
    });
    CHECK(removed > 200);
  }
}

}  // namespace oa::solve
