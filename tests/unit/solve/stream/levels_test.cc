#include "oa/solve/stream/levels.h"

#include "oa/qubo/levels.h"
#include "ref/levels.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stop_token>
#include <vector>

namespace oa::solve {
namespace {

qubo::SolvedProblem solved(const qubo::Problem& p, const char* method) {
  return solve_image(p, {.method = *find_method(method)}, Rng(3));
}

std::vector<std::uint8_t> levels_found(const qubo::SolvedProblem& s) {
  return qubo::levels_of(qubo::code_of(s.problem), s.x);
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("levels are solved in levels or as spins, to the same optimum") {
    test::each_fork(Rng(9), 120, [&](Rng& rng) {
      const qubo::Problem p = ref::random_levels(rng, 3);
      const ref::BestLevels best = ref::best_levels(p);
      for (const char* method : {"auto", "exact"}) {
        CAPTURE(method);
        const qubo::SolvedProblem s = solved(p, method);
        CHECK(s.status[0] == qubo::Status::ProvedOptimal);
        CHECK(s.energy[0] == best.energy);
        CHECK(s.bound[0] == best.energy);
        CHECK(qubo::violated(s) == 0);
        CHECK(std::ranges::find(best.levels, levels_found(s)) != best.levels.end());
      }
    });
  }
  TEST_CASE("heuristics search spins, and return the energy of their solution") {
    test::each_fork(Rng(10), 40, [&](Rng& rng) {
      const qubo::Problem p = ref::random_levels(rng, 3);
      for (const Method& method : methods()) {
        CAPTURE(method.name);
        const qubo::SolvedProblem s = solve_image(p, {.method = method}, Rng(1));
        CHECK(s.energy[0] == qubo::energy(p, 0, s.x));
        CHECK(s.bound[0] <= s.energy[0]);
      }
    });
  }
  TEST_CASE("problems of levels that are stopped return some valid levels") {
    const qubo::Problem p = ref::random_levels(Rng(6), 5);
    std::stop_source source;
    source.request_stop();
    for (const Method& method : methods()) {
      CAPTURE(method.name);
      const qubo::SolvedProblem s =
          solve_image(p, {.method = method, .token = source.get_token()}, Rng(1));
      CHECK(s.status[0] == qubo::Status::Stopped);
      CHECK(s.energy[0] == qubo::energy(p, 0, s.x));
      CHECK(s.bound[0] <= s.energy[0]);
      CHECK(qubo::levels_of(qubo::code_of(p), s.x).size() == p.h.size());
    }
    const auto soon = [&](const char* method) {
      return solve_image(
          p, {.method = *find_method(method), .token = source.get_token()}, Rng(1));
    };
    CHECK(soon("auto").energy[0] <= soon("greedy").energy[0]);
  }
  TEST_CASE("problems with too many nodes in levels are searched in spins") {
    qubo::Problem p = ref::random_levels(Rng(5), 5);
    Settings few;
    few.max_nodes = 1;
    const qubo::SolvedProblem s =
        solve_image(p, {.method = default_method(), .solver = few}, Rng(1));
    CHECK(s.energy[0] == qubo::energy(p, 0, s.x));
    CHECK(s.bound[0] <= ref::best_levels(p).energy);
    CHECK(qubo::violated(s) == 0);
  }
  TEST_CASE("a penalty that is too small lets a solver violate the encoding") {
    qubo::Problem p;
    p.m = p.n = 1;
    p.j = {0.0F};
    p.h = {-3.0F};
    p.coefficients = Coefficients::Levels;
    p.levels = 4;
    p.encoding = Encoding::OneHot;
    p.steps = {3.0F};
    p.penalty = {0.25F};
    const qubo::SolvedProblem s = solved(p, "exact");
    CHECK(qubo::violated(s) == 1);
    CHECK(s.energy[0] ==
          doctest::Approx(-5.25));  // levels 1, 2 and 3: -6 + 3 penalties
    CHECK(levels_found(s) == std::vector<std::uint8_t>{3});
    CHECK(qubo::violated(solved(p, "auto")) == 0);
  }
}

}  // namespace oa::solve
