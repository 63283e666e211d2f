#include "oa/solve/methods.h"

#include "oa/solve/automatic.h"
#include "oa/solve/exact/box/search.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/portfolio/portfolio.h"
#include "ref/exhaustive.h"
#include "ref/plain_model.h"
#include "ref/random_problem.h"
#include "ref/random_quadratic.h"
#include "ref/targets.h"
#include "unit/draw.h"
#include "unit/solve/solution_at.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace oa::solve {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// An attention problem: 2VV' of rank 18, queries like the values.
struct Attention {
  qubo::Matrix j;
  std::vector<double> h;
};

Attention attention(const Rng& rng, int n) {
  constexpr int kWidth = 18;
  Rng draws = rng;
  std::vector<double> v;
  for (int i = 0; i < (n + 1) * kWidth; ++i) {
    v.push_back(draws.normal() / n);
  }
  const auto dot = [&](int a, int b) {
    double sum = 0.0;
    for (int k = 0; k < kWidth; ++k) {
      sum += v[static_cast<std::size_t>(a * kWidth + k)] *
             v[static_cast<std::size_t>(b * kWidth + k)];
    }
    return sum;
  };
  std::vector<float> values;
  std::vector<double> h;
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      values.push_back(static_cast<float>(2.0 * dot(a, b)));
    }
    h.push_back(static_cast<float>(-2.0 * n / 4.0 * dot(a, n)));
  }
  return {qubo::Matrix(n, values), h};
}

void check_same(const Result& a, const Result& b) {
  REQUIRE(a.best.size() == b.best.size());
  CHECK(a.bound == b.bound);
  CHECK(a.status == b.status);
  for (std::size_t i = 0; i < a.best.size(); ++i) {
    CHECK(a.best[i].energy == b.best[i].energy);
    CHECK(a.best[i].x == b.best[i].x);
  }
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("methods have distinct names and are found by them") {
    std::map<std::string, int> names;
    for (const Method& method : methods()) {
      CHECK(++names[std::string(method.name)] == 1);
      CHECK(find_method(method.name) == &method);
    }
    CHECK(find_method("magic") == nullptr);
    for (const char* name :
         {"auto", "exact", "sa", "pt", "tabu", "sb", "cim", "admm", "greedy"}) {
      CHECK(names.contains(name));
    }
  }

  TEST_CASE(
      "a method that does not use a setting gives the same with any value of it") {
    const auto a = attention(Rng(71), 40);
    Settings other;
    other.reads = 3;
    other.sweeps = 5;
    other.schedule = Schedule::Linear;
    other.hot = 2.0;
    other.cold = 0.5;
    other.max_nodes = 1;
    for (const Method& method : methods()) {
      CAPTURE(method.name);
      Settings settings;
      const auto keep = [&](Setting setting, auto Settings::*value) {
        if (!method.settings.contains(setting)) {
          settings.*value = other.*value;
        }
      };
      keep(Setting::Reads, &Settings::reads);
      keep(Setting::Sweeps, &Settings::sweeps);
      keep(Setting::Schedule, &Settings::schedule);
      keep(Setting::Hot, &Settings::hot);
      keep(Setting::Cold, &Settings::cold);
      keep(Setting::MaxNodes, &Settings::max_nodes);
      check_same(method.make_solver(a.j, {}, {})->solve(a.h, Rng(1), {}),
                 method.make_solver(a.j, settings, {})->solve(a.h, Rng(1), {}));
    }
  }

  TEST_CASE("a method's answer to a single problem is true and never too good") {
    const Rng root(73);
    for (const Method& method : methods()) {
      for (int t = 0; t < 20; ++t) {
        Rng rng = root.fork(static_cast<std::uint64_t>(t));
        auto f = ref::random_quadratic(rng, 1 + test::below(rng, 10));
        f.vartype = qubo::Vartype::Binary;
        f.sense = qubo::Sense::Min;
        const Solution known = solution_at_zero(f);
        Settings settings;
        settings.top = 1 + test::below(rng, 3);
        settings.sweeps = 20;
        const Result r = method.solve_part(
            {.f = f, .settings = settings, .known = known}, rng.fork(1), {});
        CAPTURE(method.name);
        REQUIRE(!r.best.empty());
        CHECK(std::ssize(r.best) <= settings.top);
        CHECK(r.best[0].energy >= ref::best_value(f));
        CHECK(r.bound <= r.best[0].energy);
        for (std::size_t i = 0; i < r.best.size(); ++i) {
          CHECK(r.best[i].energy == qubo::energy(f, r.best[i].x));
          CHECK((i == 0 || r.best[i - 1] < r.best[i]));
        }
      }
    }
  }

  TEST_CASE("methods with several reads report improvements on the way") {
    Rng rng(79);
    const int n = 60;
    qubo::Quadratic f(n);
    std::vector<qubo::Term> terms;
    for (int i = 0; i < n; ++i) {
      for (int k = i + 1; k < n; ++k) {
        terms.push_back({i, k, static_cast<double>(rng.below(201)) - 100.0});
      }
    }
    f.add(terms);
    const Solution known = solution_at_zero(f);
    for (const char* name : {"sa", "pt", "tabu", "sb", "sb-discrete", "cim"}) {
      CAPTURE(name);
      double least = 0.0;
      PartTask task{.f = f, .settings = {}, .known = known};
      int told = 0;
      task.improved = [&](std::span<const std::uint8_t> x) {
        least = std::min(least, qubo::energy(f, x));
        ++told;
      };
      const Result r = find_method(name)->solve_part(task, rng.fork(1), {});
      CHECK(told > 0);
      CHECK(least == r.best[0].energy);
    }
    // One read of several looks at the clock.
    Settings settings;
    settings.reads = 1;
    settings.sweeps = 4000;
    int told = 0;
    PartTask task{.f = f, .settings = settings, .known = known};
    task.improved = [&](std::span<const std::uint8_t> /*x*/) { ++told; };
    (void)find_method("tabu")->solve_part(task, rng.fork(2), {});
    CHECK(told > 1);
  }

  TEST_CASE("solutions of a method are sorted, distinct, correct and never too good") {
    ref::on_each_target([&] {
      const Rng root(43);
      for (const Method& method : methods()) {
        for (int t = 0; t < 30; ++t) {
          Rng rng = root.fork(static_cast<std::uint64_t>(t));
          const auto problem =
              ref::random_problem(rng.fork(0), 1 + test::below(rng, 12));
          Settings settings;
          settings.top = 1 + test::below(rng, 5);
          const Result r = method.make_solver(problem.j, settings, {})
                               ->solve(problem.h, rng.fork(1), {});
          CAPTURE(method.name);
          CAPTURE(problem.kind);
          REQUIRE(!r.best.empty());
          CHECK(std::ssize(r.best) <= settings.top);
          CHECK(r.best[0].energy >= ref::exhaustive(problem.j, problem.h, 1)[0].energy);
          CHECK(r.bound <= r.best[0].energy);
          for (std::size_t i = 0; i < r.best.size(); ++i) {
            CHECK(r.best[i].energy == qubo::energy(problem.j, problem.h, r.best[i].x));
            CHECK((i == 0 || r.best[i - 1] < r.best[i]));
          }
        }
      }
    });
  }

  TEST_CASE("the same seed gives the same result, whatever was solved before") {
    const Rng rng(47);
    const auto a = attention(rng.fork(0), 30);
    const auto other = attention(rng.fork(1), 30);
    for (const Method& method : methods()) {
      CAPTURE(method.name);
      Settings settings;
      settings.top = 3;
      const auto fresh = method.make_solver(a.j, settings, {});
      const auto used = method.make_solver(a.j, settings, {});
      (void)used->solve(other.h, rng.fork(2), {});
      check_same(fresh->solve(a.h, rng.fork(3), {}), used->solve(a.h, rng.fork(3), {}));
    }
  }

  TEST_CASE("methods find the optimum of attention problems as often as they should") {
    // Counts over 40 problems of 40 variables, with room for other instruction
    // sets.
    const std::map<std::string, int> least{{"auto", 40},
                                           {"exact", 40},
                                           {"sa", 38},
                                           {"pt", 38},
                                           {"tabu", 39},
                                           {"sb", 30},
                                           {"cim", 10},
                                           {"admm", 5},
                                           {"greedy", 5},
                                           {"sb-discrete", 39},
                                           {"cim-control", 36}};
    std::map<std::string, int> hits;
    const Rng root(53);
    for (int t = 0; t < 40; ++t) {
      const Rng rng = root.fork(static_cast<std::uint64_t>(t));
      const auto a = attention(rng.fork(0), 40);
      const Result best = make_exact(a.j, {}, {})->solve(a.h, rng, {});
      REQUIRE(best.status == qubo::Status::ProvedOptimal);
      for (const Method& method : methods()) {
        const Result r = method.make_solver(a.j, {}, {})->solve(a.h, rng.fork(1), {});
        CHECK(r.best[0].energy >= best.best[0].energy);
        hits[std::string(method.name)] +=
            r.best[0].energy == best.best[0].energy ? 1 : 0;
      }
    }
    for (const auto& [name, count] : least) {
      CAPTURE(name);
      CHECK(hits[name] >= count);
    }
  }

  TEST_CASE("auto names the method that found its answer") {
    const auto a = attention(Rng(61), 60);
    Settings settings;
    CHECK(make_automatic(a.j, settings, {})->solve(a.h, Rng(1), {}).method == "exact");
    settings.max_nodes = 0;
    const Result r = make_automatic(a.j, settings, {})->solve(a.h, Rng(1), {});
    CHECK(r.status == qubo::Status::BestFound);
    CHECK(!r.method.empty());
    CHECK(r.bound <= r.best[0].energy);
    CHECK(r.bound > -kInfinity);
    CHECK(r.best[0].energy ==
          make_exact(a.j, {}, {})->solve(a.h, Rng(1), {}).best[0].energy);
  }

  TEST_CASE("a proof that its limit ends is followed by tabu search") {
    Rng rng(73);
    Settings settings;
    settings.max_nodes = 0;
    settings.top = 3;
    for (int t = 0; t < 10; ++t) {
      const qubo::Quadratic f = ref::normal_quadratic(rng, 60, 0.5);
      const Solution zeros = solution_at_zero(f);
      const Result found =
          solve_proving({.f = f, .settings = settings, .known = zeros}, rng, {});
      CHECK(found.best[0].energy < zeros.energy);
      CHECK(found.best.size() <= 3);
      for (const Solution& s : found.best) {
        CHECK(s.energy == qubo::energy(f, s.x));
        CHECK(s.energy >= found.best[0].energy);
      }
      CHECK(found.bound <= found.best[0].energy);
    }
  }

  TEST_CASE("admm rounds the minimum over the box, however near to one half") {
    int tried = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const auto a = attention(Rng(seed), 49);
      test::Plain j(49, 49);
      for (int i = 0; i < 49; ++i) {
        std::copy_n(a.j.row(i), 49, &j(i, 0));
      }
      test::Plain h(1, 49);
      std::ranges::copy(a.h, h.data.begin());
      const test::Plain y = test::plain_coefficients(j, h, 0.0);
      for (int i = 0; i < 49; ++i) {
        if (y(0, i) == 0.0 || y(0, i) == 1.0) {
          continue;
        }
        for (const double beyond : {-5e-8, 5e-8}) {
          // With this h, the minimum is y except for y_i, with the same gradient.
          std::vector<double> moved = a.h;
          for (int k = 0; k < 49; ++k) {
            moved[static_cast<std::size_t>(k)] -=
                (kRoundedUp + beyond - y(0, i)) * j(k, i);
          }
          const Result r = make_relaxation(a.j, {}, {})->solve(moved, Rng(1), {});
          ++tried;
          for (int k = 0; k < 49; ++k) {
            const double exact = k == i ? kRoundedUp + beyond : y(0, k);
            CHECK(r.best[0].x[static_cast<std::size_t>(k)] ==
                  (exact > kRoundedUp ? 1 : 0));
          }
        }
      }
    }
    CHECK(tried > 100);
  }
}

}  // namespace oa::solve
