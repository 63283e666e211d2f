#include "oa/solve/exact/box/level_search.h"

#include "oa/qubo/levels.h"
#include "ref/levels.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <vector>

namespace oa::solve {
namespace {

/// The linear term in levels.
std::vector<double> linear_of(const qubo::Problem& p) {
  std::vector<double> h;
  for (const float v : p.h) {
    h.push_back(double{p.steps[0]} * double{v});
  }
  return h;
}

Result solved(const qubo::Problem& p, Settings settings = {}) {
  const qubo::Matrix j(p.m, p.j);
  return LevelSearch(j, p.levels, settings).solve(linear_of(p), {});
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("levels found are the best of all, the first of equals") {
    test::each_fork(Rng(4), 2000, [&](Rng& rng, int t) {
      const qubo::Problem p = ref::random_levels(rng, 1 + t % 4);
      const ref::BestLevels best = ref::best_levels(p);
      const Result found = solved(p);
      CHECK(found.status == qubo::Status::ProvedOptimal);
      CHECK(found.best.front().x == best.levels.front());
      const double units = double{p.steps[0]} * double{p.steps[0]};
      CHECK(found.best.front().energy / units == best.energy);
      CHECK(found.bound == found.best.front().energy);
    });
  }
  TEST_CASE("the lowest distinct levels are found in order") {
    test::each_fork(Rng(5), 200, [&](Rng& rng) {
      const qubo::Problem p = ref::random_levels(rng, 3);
      const ref::BestLevels best = ref::best_levels(p);
      Settings settings;
      settings.top = static_cast<int>(best.levels.size()) + 1;
      const Result found = solved(p, settings);
      for (std::size_t k = 0; k < best.levels.size(); ++k) {
        CHECK(found.best[k].x == best.levels[k]);
      }
      CHECK(found.best.back().energy >= found.best.front().energy);
    });
  }
  TEST_CASE("fewer numbers in h are the problem of a leading block of levels") {
    test::each_fork(Rng(6), 100, [&](Rng& rng) {
      const qubo::Problem p = ref::random_levels(rng, 5);
      const qubo::Matrix j(p.m, p.j);
      const qubo::Matrix part = j.leading(3);
      std::vector<double> h = linear_of(p);
      h.resize(3);
      LevelSearch whole(j, p.levels, {});
      LevelSearch alone(part, p.levels, {});
      CHECK(whole.solve(h, {}).best.front().x == alone.solve(h, {}).best.front().x);
    });
  }
  TEST_CASE("a search that is stopped reports this, with a valid bound") {
    int stopped = 0;
    test::each_fork(Rng(7), 100, [&](Rng& rng) {
      const qubo::Problem p = ref::random_levels(rng, 4);
      Settings settings;
      settings.max_nodes = 1;
      const Result found = solved(p, settings);
      const Result best = solved(p);
      CHECK(found.bound <= best.best.front().energy);
      CHECK(found.best.front().energy >= best.best.front().energy);
      stopped += found.status == qubo::Status::Stopped ? 1 : 0;
    });
    CHECK(stopped > 20);
  }
}

}  // namespace oa::solve
