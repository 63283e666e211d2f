#include "oa/solve/lattice/equations.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/solve/lattice/reduction.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"
#include "unit/solve/solution_at.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace oa::solve {
namespace {

/// The sum of squares of m equations in n variables, with or without a solution.
qubo::Quadratic market_split(Rng& rng, int m, int n, bool solvable) {
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  const auto x = ref::bits_of(rng.u32(), n);
  for (int k = 0; k < m; ++k) {
    std::vector<double> a(at(n));
    double right = solvable ? 0.0 : rng.below(20U * static_cast<std::uint32_t>(n));
    for (int i = 0; i < n; ++i) {
      a[at(i)] = 1.0 + rng.below(40);
      right += solvable && x[at(i)] != 0 ? a[at(i)] : 0.0;
    }
    for (int i = 0; i < n; ++i) {
      terms.push_back({i, i, a[at(i)] * (a[at(i)] - 2.0 * right)});
      for (int j = 0; j < i; ++j) {
        terms.push_back({j, i, 2.0 * a[at(i)] * a[at(j)]});
      }
    }
    f.add_constant(right * right);
  }
  f.add(terms);
  f.add_constant(rng.below(3));
  return f;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("equations are found behind their squares, and solved or bounded") {
    test::each_fork(Rng(31), 60, [&](Rng& rng, int k) {
      const int m = 1 + k % 3;
      const qubo::Quadratic f = market_split(rng, m, 12, k % 2 == 0);
      const auto equations = find_equations(f, Stop());
      REQUIRE(equations.has_value());
      const Solution start = solution_at_zero(f);
      const Result r =
          solve_equations({.f = f, .settings = {}, .known = start}, *equations, Stop());
      const double best = ref::best_value(f);
      CHECK(equations->least.value <= best);
      CHECK(r.bound <= best);
      CHECK(r.best.front().energy == qubo::energy(f, r.best.front().x));
      CHECK((r.status == qubo::Status::ProvedOptimal) ==
            (best == equations->least.value));
      if (r.status == qubo::Status::ProvedOptimal) {
        CHECK(r.best.front().energy == best);
      }
    });
  }

  TEST_CASE("random problems hide no equations") {
    test::each_fork(Rng(32), 50, [&](Rng& rng) {
      qubo::Quadratic f = market_split(rng, 2, 12, true);
      const qubo::Term one{0, 1 + test::below(rng, 11), 2.0};
      f.add(qubo::Terms{one});
      CHECK(!find_equations(f, Stop()).has_value());
      CHECK(!find_equations(ref::random_quadratic(rng, 12), Stop()).has_value());
    });
  }

  TEST_CASE("the kernel of a row is short and complete") {
    const std::vector<std::vector<std::int64_t>> rows{{6, 10, 15, 7}};
    const Basis basis = kernel(rows, Stop());
    REQUIRE(basis.size() == 3);
    for (const auto& v : basis) {
      CHECK(6 * v[0] + 10 * v[1] + 15 * v[2] + 7 * v[3] == 0);
    }
    // The squared volume of the lattice is that of the row.
    double volume = 1.0;
    for (const double norm : orthogonal(basis).norms) {
      volume *= norm;
    }
    CHECK(volume == doctest::Approx(36 + 100 + 225 + 49));
  }
}

}  // namespace oa::solve
