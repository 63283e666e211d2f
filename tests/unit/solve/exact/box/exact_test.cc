#include "oa/solve/exact/box/exact.h"

#include "ref/exhaustive.h"
#include "ref/random_problem.h"
#include "ref/targets.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

namespace oa::solve {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

Result solve(const qubo::Matrix& j, std::span<const double> h, Settings settings = {}) {
  return Exact(j, settings).solve(h, Stop({}, kForever));
}

void check_equal(const std::vector<Solution>& found,
                 const std::vector<Solution>& best) {
  REQUIRE(found.size() == best.size());
  for (std::size_t i = 0; i < best.size(); ++i) {
    CHECK(found[i].energy == best[i].energy);
    CHECK(found[i].x == best[i].x);
  }
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("exact agrees with exhaustive search, ties included") {
    ref::on_each_target([&] {
      test::each_fork(Rng(20250616), 300, [&](Rng& rng) {
        const int n = 1 + test::below(rng, 15);
        const int top = rng.below(3) != 0 ? 1 : 1 + test::below(rng, 20);
        const auto problem = ref::random_problem(rng, n);
        CAPTURE(problem.kind);
        Settings settings;
        settings.top = top;
        const Result found = solve(problem.j, problem.h, settings);
        check_equal(found.best, ref::exhaustive(problem.j, problem.h, top));
        CHECK(found.status == qubo::Status::ProvedOptimal);
        CHECK(found.bound == found.best[0].energy);
      });
    });
  }

  TEST_CASE("exact proves larger problems as it does small ones within them") {
    // Variables with a large field are decided; the other 15 are enumerated by the
    // test.  Problems of 70 to 300 variables use smaller matrices.
    test::each_fork(Rng(7), 20, [&](Rng& rng) {
      const int n = 70 + test::below(rng, 230);
      const int d = 18;
      std::vector<double> v(static_cast<std::size_t>(n * d));
      for (double& x : v) {
        x = rng.normal() / n;
      }
      std::vector<double> j;
      for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
          double sum = 0.0;
          for (int k = 0; k < d; ++k) {
            sum += v[static_cast<std::size_t>(a * d + k)] *
                   v[static_cast<std::size_t>(b * d + k)];
          }
          j.push_back(sum);
        }
      }
      const qubo::Matrix matrix(n, j);
      std::vector<double> h(static_cast<std::size_t>(n));
      std::vector<int> open;
      for (int i = 0; i < n; ++i) {
        const bool decided = i % (n / 15) != 0 || std::ssize(open) == 15;
        h[static_cast<std::size_t>(i)] =
            decided ? (rng.below(2) != 0 ? 10.0 : -10.0) : 0.05 * rng.normal();
        if (!decided) {
          open.push_back(i);
        }
      }
      std::vector<double> small_h;
      for (const int i : open) {
        double field = h[static_cast<std::size_t>(i)];
        for (int k = 0; k < n; ++k) {
          field += h[static_cast<std::size_t>(k)] == -10.0 ? matrix(i, k) : 0.0;
        }
        small_h.push_back(field);
      }
      const auto best = ref::exhaustive(matrix.restricted(open), small_h, 1);
      const Result found = solve(matrix, h);
      REQUIRE(found.status == qubo::Status::ProvedOptimal);
      for (std::size_t k = 0; k < open.size(); ++k) {
        CHECK(found.best[0].x[static_cast<std::size_t>(open[k])] == best[0].x[k]);
      }
    });
  }

  TEST_CASE("equal variables are not tried in every order") {
    // min (sum of 60 x)^2 - 61 (sum of x): 30 or 31 ones, 1.2e17 solutions each.
    const int n = 60;
    const qubo::Matrix j(n, std::vector<double>(n * n, 2.0));
    const std::vector<double> h(n, -61.0);
    const Result found = solve(j, h);
    CHECK(found.status == qubo::Status::ProvedOptimal);
    CHECK(found.best[0].energy == -930.0);
    std::vector<std::uint8_t> expected(30, 0);
    expected.resize(60, 1);
    CHECK(found.best[0].x == expected);
    CHECK(found.nodes < 1000);
  }

  TEST_CASE("a stopped search keeps a bound that holds") {
    test::each_fork(Rng(3), 300, [&](Rng& rng) {
      const auto problem = ref::random_problem(rng, 16);
      const double optimum = ref::exhaustive(problem.j, problem.h, 1)[0].energy;
      Settings settings;
      settings.max_nodes = static_cast<std::int64_t>(rng.below(6));
      const Result found = solve(problem.j, problem.h, settings);
      CAPTURE(problem.kind);
      REQUIRE(!found.best.empty());
      CHECK(found.best[0].energy ==
            qubo::energy(problem.j, problem.h, found.best[0].x));
      CHECK(found.bound <= optimum);
      CHECK(found.bound <= found.best[0].energy);
      CHECK(found.nodes <= settings.max_nodes);
      if (found.status == qubo::Status::ProvedOptimal) {
        CHECK(found.best[0].energy == optimum);
        CHECK(found.bound == optimum);
      }
    });
  }

  TEST_CASE("a stop request and a time limit of nothing stop at once") {
    Rng rng(11);
    const auto problem = ref::random_problem(rng, 20);
    Exact solver(problem.j, {});
    std::stop_source source;
    source.request_stop();
    CHECK(solver.solve(problem.h, Stop(source.get_token(), kForever)).nodes == 0);
    CHECK(solver.solve(problem.h, Stop({}, 0.0)).nodes == 0);
    // The stop has no later effect.
    CHECK(solver.solve(problem.h, Stop({}, kForever)).best[0].energy ==
          ref::exhaustive(problem.j, problem.h, 1)[0].energy);
  }

  TEST_CASE("decisions at the root hold in every optimum") {
    int decided = 0;
    test::each_fork(Rng(5), 300, [&](Rng& rng) {
      const auto problem = ref::random_problem(rng, 12);
      const auto best = ref::exhaustive(problem.j, problem.h, 64);
      Exact solver(problem.j, {});
      const auto decisions = solver.decisions(problem.h, best[0].energy);
      for (const Solution& s : best) {
        if (s.energy == best[0].energy) {
          for (std::size_t i = 0; i < s.x.size(); ++i) {
            CHECK((decisions[i] == Decision::Free ||
                   decisions[i] == (s.x[i] != 0 ? Decision::One : Decision::Zero)));
          }
        }
      }
      decided += static_cast<int>(std::ranges::count_if(
          decisions, [](Decision d) { return d != Decision::Free; }));
    });
    CHECK(decided > 300);
  }
}

}  // namespace oa::solve
