#include "oa/solve/exact/box/penalty.h"

#include "oa/qubo/levels.h"
#include "ref/exhaustive.h"
#include "ref/levels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace oa::solve {
namespace {

/// Whether all best spins of the query's QUBO are valid and decode to best levels.
bool is_sufficient(const qubo::Problem& p) {
  const qubo::LevelCode code = qubo::code_of(p);
  const qubo::SpinProblem spins = qubo::spin_problem(p, 0);
  const ref::BestLevels best = ref::best_levels(p);
  const auto found = ref::exhaustive(spins.j, spins.h, 1);
  const auto levels = qubo::levels_of(code, found[0].x);
  qubo::SolvedProblem s;
  s.problem = p;
  s.x = found[0].x;
  return qubo::violated(s) == 0 &&
         std::ranges::find(best.levels, levels) != best.levels.end();
}

/// A coefficient with equal energy at every level: J is 0.
qubo::Problem linear(int levels) {
  qubo::Problem p;
  p.m = 1;
  p.n = 1;
  p.j = {0.0F};
  p.h = {-3.0F};
  p.coefficients = Coefficients::Levels;
  p.levels = levels;
  p.encoding = Encoding::OneHot;
  p.steps = {static_cast<float>(levels - 1)};
  p.penalty = proved_penalties(p);
  return p;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("the optimum of a QUBO decodes to the optimal levels, in 10,000 problems") {
    const Rng root(220);
    int tried = 0;
    for (int t = 0; tried < 10'000; ++t) {
      const qubo::Problem p =
          ref::random_levels(root.fork(static_cast<std::uint64_t>(t)), 1 + t % 4);
      if (p.x_variables() > 12) {
        continue;
      }
      ++tried;
      CAPTURE(t);
      CHECK(is_sufficient(p));
    }
  }
  TEST_CASE("10 % less than the proved penalty does not suffice for linear energies") {
    for (int levels = 3; levels <= 12; ++levels) {
      CAPTURE(levels);
      qubo::Problem p = linear(levels);
      CHECK(is_sufficient(p));
      p.penalty[0] *= 0.9F;
      CHECK_FALSE(is_sufficient(p));
    }
  }
  TEST_CASE("encodings in which every choice is valid have no penalty") {
    Rng rng(3);
    for (int t = 0; t < 50; ++t) {
      const qubo::Problem p = ref::random_levels(rng.fork(t), 3);
      CHECK(p.penalty.empty() == !qubo::code_of(p).has_penalty());
    }
  }
}

}  // namespace oa::solve
