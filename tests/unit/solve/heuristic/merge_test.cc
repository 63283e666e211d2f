#include "oa/solve/heuristic/merge.h"

#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace oa::solve {
namespace {

Solution random_solution(const qubo::Quadratic& f, Rng& rng) {
  const auto x = test::random_x(rng, f.size());
  return {qubo::energy(f, x), x};
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("a merged problem has the energies of the vectors that it represents") {
    test::each_fork(Rng(31), 200, [&](Rng& rng) {
      const auto f = converted(ref::random_quadratic(rng, 1 + test::below(rng, 40)),
                               qubo::Vartype::Binary)
                         .f;
      std::vector<Solution> solutions;
      for (std::uint32_t k = 0; k <= rng.below(4); ++k) {
        solutions.push_back(random_solution(f, rng));
      }
      const Merged merged(f, solutions);
      REQUIRE(merged.problem().size() <= f.size());
      for (int k = 0; k < 5; ++k) {
        const Solution y = random_solution(merged.problem(), rng);
        CHECK(qubo::energy(f, merged.whole(y.x)) == y.energy);
      }
      const std::vector<std::uint8_t> none(merged.problem().linear.size());
      CHECK(merged.whole(none) == solutions[0].x);
    });
  }

  TEST_CASE("each region has the better of two solutions") {
    // Two separate chains; each solution has one of them right.
    qubo::Quadratic f(20);
    std::vector<qubo::Term> terms;
    for (int i = 0; i < 20; ++i) {
      f.linear[static_cast<std::size_t>(i)] = -1.0;
      if (i != 9 && i != 19) {
        terms.push_back({i, i + 1, -1.0});
      }
    }
    f.add(terms);
    std::vector<Solution> halves(2);
    for (std::size_t k = 0; k < 2; ++k) {
      halves[k].x.resize(20);
      std::fill_n(halves[k].x.begin() + (k == 0 ? 0 : 10), 10, std::uint8_t{1});
      halves[k].energy = qubo::energy(f, halves[k].x);
    }
    const Merged merged(f, halves);
    CHECK(merged.problem().size() == 2);
    CHECK(ref::best_value(merged.problem()) == -38.0);
  }
}

}  // namespace oa::solve
