#include "oa/solve/conflict/search.h"

#include "oa/solve/portfolio/independent_set.h"
#include "random_conflicts.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <optional>
#include <vector>

namespace oa::solve {
namespace {

std::optional<Result> solve(const qubo::Quadratic& f, const Settings& settings = {}) {
  const auto conflicts = find_conflicts(f, {});
  if (!conflicts) {
    return std::nullopt;
  }
  const Solution known = solution_at_zero(f);
  return search_conflicts(
      {.f = f, .settings = settings, .known = known}, *conflicts, {});
}

/// Weights of -1, and penalties of 2 for the pairs that `conflict` names.
template <class Conflict>
qubo::Quadratic graph(int n, const Conflict& conflict) {
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    terms.push_back({i, i, -1.0});
    for (int k = i + 1; k < n; ++k) {
      if (conflict(i, k)) {
        terms.push_back({i, k, 2.0});
      }
    }
  }
  f.add(terms);
  return f;
}

void check_optimum(const qubo::Quadratic& f, double energy) {
  const auto found = solve(f);
  REQUIRE(found);
  CHECK(found->status == qubo::Status::ProvedOptimal);
  CHECK(found->best.front().energy == energy);
  CHECK(qubo::energy(f, found->best.front().x) == energy);
  CHECK(found->bound == energy);
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("proofs over independent sets are those of all vectors") {
    int found = 0;
    test::each_fork(Rng(221), 4000, [&](Rng& rng, int t) {
      const auto f = random_conflicts(rng,
                                      {.n = 2 + t % 10,
                                       .density = 0.2 + 0.7 * rng.uniform(),
                                       .most_weight = t % 3 == 0 ? 1 : 1 + t % 9,
                                       .further = t % 4 * 0.15,
                                       .too_small = t % 5 * 0.1});
      const auto result = solve(f);
      if (!result) {
        return;
      }
      ++found;
      REQUIRE(result->status == qubo::Status::ProvedOptimal);
      REQUIRE(result->best.front().energy == ref::best_value(f));
      REQUIRE(result->bound == result->best.front().energy);
    });
    CHECK(found > 2000);
  }

  TEST_CASE("graphs of 63, 64 and 65 vertices have their known optima") {
    for (const int n : {63, 64, 65}) {
      CAPTURE(n);
      const auto cycle = [&](int i, int k) { return k - i == 1 || k - i == n - 1; };
      check_optimum(graph(n, cycle), -(n / 2));
      check_optimum(graph(n, [](int, int) { return true; }), -1.0);
      check_optimum(graph(n, [](int i, int) { return i == 0; }), 1.0 - n);
      check_optimum(graph(n, [](int i, int k) { return i % 7 == k % 7; }), -7.0);
      check_optimum(graph(n, [](int i, int k) { return i / 7 != k / 7; }), -7.0);
      check_optimum(graph(n, [&](int i, int k) { return i == 0 && k == n - 1; }),
                    1.0 - n);
    }
  }

  TEST_CASE("a search without nodes has a valid bound") {
    test::each_fork(Rng(223), 100, [&](Rng& rng, int t) {
      const auto f = random_conflicts(
          rng, {.n = 12, .most_weight = 1 + t % 5, .further = t % 3 * 0.2});
      if (const auto result = solve(f, {.max_nodes = t % 4})) {
        CHECK(result->bound <= ref::best_value(f));
        CHECK(result->best.front().energy >= ref::best_value(f));
      }
    });
  }

  TEST_CASE("a search of conflicts ends at the target") {
    const auto f = graph(40, [](int i, int k) { return i % 8 == k % 8; });
    const Solution known = solution_at_zero(f);
    const auto conflicts = find_conflicts(f, {});
    REQUIRE(conflicts);
    const PartTask task{.f = f, .settings = {}, .known = known, .target = -3.0};
    const Result result = search_conflicts(task, *conflicts, {});
    CHECK(result.best.front().energy <= -3.0);
    CHECK(result.bound <= -8.0);
  }
}

}  // namespace oa::solve
