#include "oa/solve/polynomial/presolve.h"

#include "oa/base/index.h"
#include "ref/random_polynomial.h"

#include <doctest/doctest.h>

namespace oa::solve {

TEST_SUITE("solve") {
  TEST_CASE("presolving a polynomial keeps its lexicographically smallest minimum") {
    const Rng root(36);
    int removed = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      CAPTURE(seed);
      Rng rng = root.fork(seed);
      qubo::Polynomial q =
          ref::random_polynomial(rng, 1 + static_cast<int>(seed % 9), 4);
      if (seed % 2 == 0) {
        q.monomials.resize(
            std::min<std::size_t>(q.monomials.size(), at(q.n)));  // sparse
      }
      q.sense = qubo::Sense::Min;
      const WholePolynomial p = in_whole_numbers(q);
      for (const bool split : {false, true}) {
        const PolynomialPresolve presolve(p);
        std::vector<std::uint8_t> x(at(p.n));
        int left = 0;
        for (const PolynomialPresolve::Part& part : presolve.parts(split)) {
          left += part.p.n;
          std::vector<std::uint8_t> best = ref::nth_x(0, part.p.n);
          for (std::uint64_t k = 1; k < std::uint64_t{1} << part.p.n; ++k) {
            const auto y = ref::nth_x(k, part.p.n);
            best = part.p.value(y) < part.p.value(best) ? y : best;
          }
          for (std::size_t k = 0; k < best.size(); ++k) {
            x[at(part.variables[k])] = best[k];
          }
        }
        removed += p.n - left;
        presolve.restore(x);
        REQUIRE(x == ref::best_of_all(q));
      }
    }
    CHECK(removed > 400);
  }
}

}  // namespace oa::solve
