#include "oa/solve/cut/search.h"

#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/exact/tree/tree.h"
#include "oa/solve/linear/linear_program.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"
#include "unit/solve/random_sparse.h"
#include "unit/solve/solution_at.h"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

namespace oa::solve {
namespace {

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

Result solve(const qubo::Quadratic& f,
             const Solution& known,
             std::int64_t work = kEndless,
             const Stop& stop = {}) {
  return search_cuts(
      {.f = f, .settings = {}, .known = known}, step_of(f), {work}, stop);
}

TwoDoubles least(const qubo::Quadratic& f) {
  return exact_energy(f, ref::smallest_optimum(f)).two();
}

/// A torus in three dimensions.
qubo::Quadratic torus(Rng& rng, int side) {
  qubo::Quadratic f(side * side * side);
  std::vector<qubo::Term> terms;
  const auto number = [&](int x, int y, int z) {
    return ((x % side) * side + y % side) * side + z % side;
  };
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      for (int z = 0; z < side; ++z) {
        const int i = number(x, y, z);
        for (const int k :
             {number(x + 1, y, z), number(x, y + 1, z), number(x, y, z + 1)}) {
          const double weight = std::nearbyint(1e5 * rng.normal());
          terms.push_back({i, k, 2.0 * weight});
          terms.push_back({i, i, -weight});
          terms.push_back({k, k, -weight});
        }
      }
    }
  }
  f.add(terms);
  return f;
}

}  // namespace

TEST_SUITE("solve" * doctest::skip(!LinearProgram::available())) {
  TEST_CASE("a search with odd cycles agrees with exhaustive search") {
    test::each_fork(Rng(311), 500, [&](Rng& rng, int t) {
      const int n = 3 + test::below(rng, 8);
      const auto f = random_sparse(rng, n, 0.2 + 0.6 * rng.uniform(), t % 3 != 0);
      const Result found = solve(f, solution_at_zero(f));
      REQUIRE(found.status == qubo::Status::ProvedOptimal);
      CHECK(found.best.front().value() == least(f));
      CHECK(found.bound <= found.best.front().energy);
      // Stopped at once, it has a valid bound.
      const Result first = solve(f, solution_at_zero(f), 0);
      CHECK(TwoDoubles(first.bound) <= least(f));
    });
  }

  TEST_CASE("a search with odd cycles agrees with a tree decomposition") {
    test::each_fork(Rng(312), 6, [&](Rng& rng, int t) {
      const auto f = random_sparse(rng, 60, 0.05, t % 3 != 0);
      const Solution known = solution_at_zero(f);
      const Result found = solve(f, known);
      REQUIRE(found.status == qubo::Status::ProvedOptimal);
      const auto tree = solve_tree({.f = f, .settings = {}, .known = known}, {});
      REQUIRE(tree);
      CHECK(found.best.front().value() == tree->best.front().value());
      CHECK(found.bound == tree->bound);
    });
  }

  TEST_CASE("a torus in three dimensions is proved, and hints do no harm") {
    Rng rng(313);
    const auto f = torus(rng, 4);
    CHECK(suits_cuts(torus(rng, 5)));
    const Result found = solve(f, solution_at_zero(f));
    REQUIRE(found.status == qubo::Status::ProvedOptimal);
    const Result again = solve(f, found.best.front());
    CHECK(again.status == qubo::Status::ProvedOptimal);
    CHECK(again.best.front().energy == found.best.front().energy);
  }

  TEST_CASE("a search with odd cycles ends in time, with a bound") {
    Rng rng(314);
    const auto f = torus(rng, 12);
    const Result found = solve(f, solution_at_zero(f), kEndless, Stop({}, 0.5));
    CHECK(found.status == qubo::Status::Stopped);
    CHECK(found.bound < found.best.front().energy);
    CHECK(found.bound > -1e10);
  }
}

}  // namespace oa::solve
