#include "oa/solve/conflict/cover_walk.h"
#include "oa/solve/conflict/penalty_walk.h"
#include "oa/solve/portfolio/independent_set.h"
#include "random_conflicts.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <vector>

namespace oa::solve {
namespace {

void check_set(const qubo::Quadratic& f,
               const Conflicts& c,
               const std::vector<int>& vertices,
               double best) {
  CHECK(c.independent(c.x_of(vertices, f.size())).size() == vertices.size());
  CHECK(qubo::energy(f, c.x_of(vertices, f.size())) == best);
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("walks over covers find optima of small problems") {
    test::each_fork(Rng(231), 1000, [&](Rng& rng, int t) {
      const auto f = random_conflicts(rng,
                                      {.n = 4 + t % 9,
                                       .density = 0.1 + 0.8 * rng.uniform(),
                                       .most_weight = 1 + t % 5});
      const auto c = find_conflicts(f, {});
      if (!c) {
        return;
      }
      const Stop never;
      Pace pace(never);
      CoverWalk walk(*c, {}, rng.fork(1));
      while (walk.run(100'000, pace)) {
      }
      CHECK(c->value(walk.best()) == walk.value());
      check_set(f, *c, walk.best(), ref::best_value(f));
    });
  }

  TEST_CASE("walks with penalties find the largest sets of small problems") {
    test::each_fork(Rng(233), 100, [&](Rng& rng, int t) {
      const auto f =
          random_conflicts(rng, {.n = 4 + t % 9, .density = 0.1 + 0.8 * rng.uniform()});
      const auto c = find_conflicts(f, {});
      if (!c) {
        return;
      }
      const Stop never;
      Pace pace(never);
      PenaltyWalk walk(*c, rng.fork(1));
      std::vector<int> best;
      while (walk.run(best.size(), 200'000, pace)) {
        best = walk.found();
      }
      check_set(f, *c, best, ref::best_value(f));
    });
  }

  TEST_CASE("independent sets are the same for any number of threads") {
    Rng rng(237);
    const auto f = random_conflicts(rng, {.n = 150, .density = 0.1, .most_weight = 3});
    const auto c = find_conflicts(f, {});
    REQUIRE(c);
    REQUIRE(suits_independent_set(*c));
    const Solution known = solution_at_zero(f);
    PartTask task{.f = f, .settings = {.max_nodes = 100}, .known = known};
    const Result one = solve_independent_set(task, *c, rng, {});
    task.threads = 3;
    const Result three = solve_independent_set(task, *c, rng, {});
    CHECK(one.best.front().x == three.best.front().x);
    CHECK(one.bound == three.bound);
    CHECK(one.bound <= one.best.front().energy);
  }
}

}  // namespace oa::solve
