#include "oa/solve/exact/spin/search.h"

#include "oa/solve/exact/spin/bound.h"
#include "oa/solve/exact/spin/clique_bound.h"
#include "oa/solve/exact/tree/tree.h"
#include "unit/draw.h"
#include "unit/solve/solution_at.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stop_token>
#include <vector>

namespace oa::solve {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// The least s'Ms / 2 over spins.
double least(int n, const std::vector<double>& m) {
  double best = kNone;
  for (unsigned bits = 0; bits < (1U << (n - 1)); ++bits) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < i; ++k) {
        const double weight = m[static_cast<std::size_t>(i * n + k)];
        sum += ((bits >> i ^ bits >> k) & 1U) != 0 ? -weight : weight;
      }
    }
    best = std::min(best, sum);
  }
  return best;
}

/// Integers, or numbers of very different size.
std::vector<double> random_spins(Rng& rng, int n, bool integers) {
  std::vector<double> m(static_cast<std::size_t>(n * n));
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) {
      const double whole = static_cast<double>(rng.below(7)) - 3.0;
      const double weight =
          integers ? whole : rng.normal() * (rng.below(5) == 0 ? 1e3 : 1.0);
      m[static_cast<std::size_t>(i * n + k)] = weight;
      m[static_cast<std::size_t>(k * n + i)] = weight;
    }
  }
  return m;
}

/// A problem of 0/1 variables, minimised: pairs are -1, 0 or 1 or have many digits.
qubo::Quadratic random_problem(Rng& rng, int n, double density, bool integers) {
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    const double h = static_cast<double>(rng.below(3)) - 1.0;
    f.linear[static_cast<std::size_t>(i)] = integers ? h : h * rng.uniform();
    for (int k = 0; k < i; ++k) {
      if (rng.uniform() < density) {
        const double weight = rng.below(2) != 0 ? 2.0 : -2.0;
        terms.push_back({k, i, integers ? weight : weight * rng.uniform() + 1e-18});
      }
    }
  }
  f.add(terms);
  return f;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("no spins are below the bound with cliques, which is nearly reached") {
    int tight = 0;
    constexpr int kProblems = 10'000;
    test::each_fork(Rng(101), kProblems, [&](Rng& rng, int t) {
      const int n = 2 + static_cast<int>(rng.below(t % 10 == 0 ? 9 : 7));
      const auto m = random_spins(rng, n, t % 2 == 0);
      const double best = least(n, m);
      CliqueBound relaxation(n, m, CliqueBound::kBranching, {});
      const double bound = relaxation.improve(best - (t % 3 == 0 ? 0.5 : 0.0), {});
      CHECK(bound <= best);
      tight += bound > best - 0.02 * std::abs(best) - 0.5 ? 1 : 0;
    });
    CHECK(tight > kProblems / 100 * 95);
  }

  TEST_CASE("pentagons close what triangles leave open") {
    constexpr int kSpins = 5;
    std::vector<double> m(kSpins * kSpins, 1.0);
    for (std::size_t i = 0; i < m.size(); i += kSpins + 1) {
      m[i] = 0.0;
    }
    REQUIRE(least(kSpins, m) == -2.0);
    CliqueBound relaxation(kSpins, m, CliqueBound::kBranching, {});
    const double bound = relaxation.improve(-2.0, {});
    CHECK(bound <= -2.0);
    CHECK(bound > -2.01);  // -2.5 without pentagons
  }

  TEST_CASE("a search with semidefinite bounds agrees with a tree decomposition") {
    test::each_fork(Rng(103), 12, [&](Rng& rng, int t) {
      const auto f = random_problem(rng, 40, 0.1, t % 3 != 0);
      const Solution known = solution_at_zero(f);
      const Result found = search_spins({.f = f, .settings = {}, .known = known}, {});
      REQUIRE(found.status == qubo::Status::ProvedOptimal);
      const auto tree = solve_tree({.f = f, .settings = {}, .known = known}, {});
      REQUIRE(tree);
      CHECK(found.best.front().value() == tree->best.front().value());
      CHECK(found.bound == tree->bound);
      const Result threads =
          search_spins({.f = f, .settings = {}, .known = known, .threads = 3}, {});
      CHECK(threads.best.front().x == found.best.front().x);
      CHECK(threads.nodes == found.nodes);
    });
  }

  TEST_CASE("a root that is worked on for longer is nearer, and its bound holds") {
    Rng rng(105);
    const auto f = random_problem(rng, 90, 0.5, true);
    const Solution known = solution_at_zero(f);
    PartTask task{.f = f, .settings = {}, .known = known};
    const Result root = search_root(task, {});
    task.settings.max_nodes = 1;
    const Result first = search_spins(task, {});
    CHECK(root.bound <= root.best.front().energy);
    CHECK(root.bound >= first.bound);
    CHECK(root.bound > spin_bound(f, {}) + 10.0);
    for (const double limit_s : {0.0, 0.01, 0.1}) {
      CAPTURE(limit_s);
      const Result limited = search_root(task, Stop({}, limit_s));
      CHECK(limited.bound <= root.best.front().energy);
    }
  }

  TEST_CASE("a search that ends early has a bound that holds") {
    Rng rng(104);
    const auto f = random_problem(rng, 50, 0.5, true);
    const Solution known = solution_at_zero(f);
    PartTask task{.f = f, .settings = {}, .known = known};
    task.settings.max_nodes = 1;
    const Result early = search_spins(task, {});
    CHECK(early.status == qubo::Status::Stopped);
    task.settings.max_nodes = 100'000;
    const Result whole = search_spins(task, {});
    REQUIRE(whole.status == qubo::Status::ProvedOptimal);
    CHECK(early.bound <= whole.bound);
    CHECK(early.bound > whole.bound - 20.0);
    std::stop_source source;
    source.request_stop();
    const Result none = search_spins(task, Stop(source.get_token(), kNone));
    CHECK(none.status == qubo::Status::Stopped);
    CHECK(none.bound == -kNone);
  }
}

}  // namespace oa::solve
