#include "oa/solve/single/constrained.h"

#include "oa/qubo/program.h"
#include "oa/qubo/reduce.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace oa::solve {
namespace {

using test::between;

/// Up to 11 variables and 3 constraints of every sense; whole numbers or decimals.
qubo::Polynomial random_program(Rng& rng) {
  qubo::Polynomial p;
  p.n = between(rng, 1, 11);
  p.vartype = rng.below(4) == 0 ? qubo::Vartype::Spin : qubo::Vartype::Binary;
  p.sense = rng.below(2) == 0 ? qubo::Sense::Max : qubo::Sense::Min;
  const double unit = rng.below(2) == 0 ? 0.1 : 1.0;
  p.monomials.push_back({{}, unit * between(rng, -5, 5)});
  for (std::int32_t i = 0; i < p.n; ++i) {
    p.monomials.push_back({{i}, unit * between(rng, -20, 20)});
  }
  const int degree = between(rng, 1, 3);
  for (int k = degree > 1 ? between(rng, 0, 2 * p.n) : 0; k > 0; --k) {
    qubo::Monomial m{{}, unit * between(rng, -20, 20)};
    for (int d = 0; d < degree; ++d) {
      m.variables.push_back(between(rng, 0, p.n - 1));
    }
    std::ranges::sort(m.variables);
    m.variables.erase(std::ranges::unique(m.variables).begin(), m.variables.end());
    p.monomials.push_back(m);
  }
  const double scale = rng.below(3) == 0 ? 100.0 : 1.0;  // two decimals, or none
  const int most = rng.below(3) == 0 ? 1 : 30;
  for (int k = between(rng, 1, 3); k > 0; --k) {
    qubo::Constraint c;
    c.name = std::to_string(k);
    c.relation = static_cast<qubo::Relation>(rng.below(3));
    for (std::int32_t i = 0; i < p.n; ++i) {
      if (rng.below(4) != 0) {
        c.terms.push_back(
            {i, i, between(rng, rng.below(2) == 0 ? 1 : -most, most) / scale});
      }
    }
    c.right = between(rng, -most, 2 * most) / scale;
    p.constraints.push_back(std::move(c));
  }
  qubo::make_whole(p, "here");
  return p;
}

/// The best energy that satisfies all constraints, by exhaustive search.
std::optional<double> best_of_all(const qubo::Polynomial& p) {
  std::optional<double> best;
  ref::each_x(p.n, [&](const auto& x) {
    if (qubo::violated(p, x) < 0) {
      const double energy = qubo::exact_value(p, x).value();
      if (!best || qubo::better(p.sense, energy, *best)) {
        best = energy;
      }
    }
  });
  return best;
}

ModelResult solve(const qubo::Polynomial& p, std::string_view method) {
  ModelSettings settings;
  settings.method = find_method(method);
  settings.solver.reads = settings.method->proves ? 0 : 1;
  settings.solver.sweeps = settings.method->proves ? 0 : 20;
  return solve_constrained(qubo::model_of(p), settings, Rng(1), {});
}

/// max value'x, weight'x <= room.
qubo::Polynomial knapsack(int n, int most, Rng& rng) {
  qubo::Polynomial p;
  p.n = n;
  p.sense = qubo::Sense::Max;
  qubo::Constraint room{"room", {}, qubo::Relation::AtMost, 0.0};
  double total = 0.0;
  for (std::int32_t i = 0; i < n; ++i) {
    p.monomials.push_back({{i}, static_cast<double>(between(rng, 1, most))});
    room.terms.push_back({i, i, static_cast<double>(between(rng, 1, most))});
    total += room.terms.back().weight;
  }
  room.right = std::floor(total / 2.0);
  p.constraints.push_back(std::move(room));
  return p;
}

/// The best of a knapsack, by a table over its room.
double by_table(const qubo::Polynomial& p) {
  std::vector<double> best(static_cast<std::size_t>(p.constraints[0].right) + 1);
  for (std::size_t i = 0; i < p.monomials.size(); ++i) {
    const auto weight = static_cast<std::size_t>(p.constraints[0].terms[i].weight);
    for (std::size_t room = best.size(); room-- > weight;) {
      best[room] = std::max(best[room], best[room - weight] + p.monomials[i].weight);
    }
  }
  return best.back();
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("constraints are satisfied as in exhaustive search") {
    int infeasible = 0;
    int feasible = 0;
    test::each_fork(Rng(60), 400, [&](Rng& rng) {
      const qubo::Polynomial p = random_program(rng);
      const std::optional<double> best = best_of_all(p);
      (best ? feasible : infeasible) += 1;
      for (const char* method : {"auto", "exact", "sa", "greedy"}) {
        CAPTURE(method);
        const ModelResult found = solve(p, method);
        const std::vector<std::uint8_t>& x = found.best.front().x;
        const bool proved = found.status == qubo::Status::ProvedOptimal;
        const bool holds = qubo::violated(p, x) < 0;
        CHECK(std::ssize(x) == p.n);
        CHECK(found.best.front().energy == qubo::exact_value(p, x).value());
        CHECK((proved || !find_method(method)->proves));
        if (!best) {
          CHECK_FALSE(holds);
          continue;
        }
        CHECK_FALSE(qubo::better(p.sense, *best, found.bound));  // the bound holds
        CHECK((holds || !proved));
        if (proved) {
          CHECK(found.best.front().energy == *best);
          CHECK(found.bound == *best);
        }
      }
    });
    CHECK(feasible > 150);
    CHECK(infeasible > 60);
  }

  TEST_CASE("objectives of many products are proved by prices of rows or by states") {
    constexpr int kItems = 33;  // 528 products
    test::each_fork(Rng(8), 6, [&](Rng& rng, int t) {
      qubo::Polynomial p;  // the best two or three
      p.n = kItems;
      p.sense = t % 2 == 0 ? qubo::Sense::Min : qubo::Sense::Max;
      qubo::Constraint few{
          "few", {}, t < 3 ? qubo::Relation::Equal : qubo::Relation::AtMost, 3.0};
      for (std::int32_t i = 0; i < kItems; ++i) {
        p.monomials.push_back({{i}, 0.5 * between(rng, -40, 40)});
        few.terms.push_back({i, i, t == 5 ? between(rng, 1, 2) : 1.0});
        for (std::int32_t k = 0; k < i; ++k) {
          p.monomials.push_back({{k, i}, 0.5 * between(rng, 1, 40)});
        }
      }
      p.constraints = {few};
      std::optional<double> best;
      std::vector<std::uint8_t> x(kItems);
      const auto tried = [&] {
        if (qubo::violated(p, x) < 0) {
          const double energy = qubo::exact_value(p, x).value();
          best = !best || qubo::better(p.sense, energy, *best) ? energy : *best;
        }
      };
      for (std::size_t a = 0; a < kItems; ++a) {
        for (std::size_t b = a; b < kItems; ++b) {
          for (std::size_t c = b; c < kItems; ++c) {
            x[a] = x[b] = x[c] = 1;
            tried();
            x[a] = x[b] = x[c] = 0;
          }
        }
      }
      tried();
      const ModelResult found = solve(p, "auto");
      CHECK(found.best.front().energy == *best);
      CHECK_FALSE(qubo::better(p.sense, *best, found.bound));
      CHECK(found.status == qubo::Status::ProvedOptimal);
    });
  }

  TEST_CASE("a knapsack is proved") {
    const Rng root(5);
    for (const int n : {30, 100}) {
      for (const int most : {10, 100, 1000}) {
        CAPTURE(n);
        CAPTURE(most);
        Rng rng = root.fork(static_cast<std::uint64_t>(n * most));
        const qubo::Polynomial p = knapsack(n, most, rng);
        const ModelResult found = solve(p, "auto");
        CHECK(found.status == qubo::Status::ProvedOptimal);
        CHECK(found.best.front().energy == by_table(p));
        CHECK(qubo::violated(p, found.best.front().x) < 0);
      }
    }
  }

  TEST_CASE("weights of nine digits are exact, in penalties, too") {
    qubo::Polynomial p;  // of all sums of weights, 2,000,000,003 is the largest allowed
    p.n = 4;
    p.sense = qubo::Sense::Max;
    p.constraints = {{"room", {}, qubo::Relation::AtMost, 2'000'000'003.0}};
    const std::vector<double> weights{1'000'000'001, 999'999'999, 1'000'000'003, 4};
    for (std::int32_t i = 0; i < 4; ++i) {
      p.monomials.push_back({{i}, weights[static_cast<std::size_t>(i)]});
      p.constraints[0].terms.push_back({i, i, weights[static_cast<std::size_t>(i)]});
    }
    CHECK(solve(p, "auto").best.front().energy == 2'000'000'002.0);
    const qubo::Quadratic f = qubo::reduced(p, "here").f;
    std::vector<std::uint8_t> x(f.linear.size());
    x[1] = x[2] = 1;
    x.back() = 1;  // slack of 1
    CHECK(qubo::energy(f, x) == 2'000'000'002.0);
    x.back() = 0;
    CHECK(qubo::energy(f, x) < -2'000'000'000.0);
  }

  TEST_CASE("the best known is within a bound that holds when time is over") {
    Rng rng(3);
    const qubo::Polynomial p = knapsack(60, 1000, rng);
    ModelSettings settings;
    settings.method = find_method("auto");
    settings.solver.time_limit_s = 0.0;
    const ModelResult found =
        solve_constrained(qubo::model_of(p), settings, Rng(1), {});
    CHECK(found.bound >= by_table(p));
    CHECK(found.bound < 1.01 * by_table(p));
  }

  TEST_CASE("a target ends the search, and a start that satisfies all is kept") {
    Rng rng(4);
    const qubo::Polynomial p = knapsack(40, 100, rng);
    ModelSettings settings;
    settings.method = find_method("greedy");
    settings.target = 1.0;
    settings.initial.assign(3, std::vector<std::uint8_t>(40));
    settings.initial[1][0] = 1;
    const ModelResult found =
        solve_constrained(qubo::model_of(p), settings, Rng(1), {});
    CHECK(found.best.front().x == settings.initial[1]);
  }

  TEST_CASE("conflicts as constraints are proved as an independent set") {
    // Disjoint cycles of five: two of each are independent.
    qubo::Polynomial p;
    p.n = 60;
    p.sense = qubo::Sense::Max;
    for (std::int32_t i = 0; i < p.n; ++i) {
      const std::int32_t next = i % 5 == 4 ? i - 4 : i + 1;
      p.monomials.push_back({{i}, 1.0});
      p.constraints.push_back(
          {"pair", {{i, i, 1.0}, {next, next, 1.0}}, qubo::Relation::AtMost, 1.0});
    }
    ModelSettings settings{.method = &default_method()};
    const ModelResult found =
        solve_constrained(qubo::model_of(p), settings, Rng(1), std::stop_token());
    CHECK(found.status == qubo::Status::ProvedOptimal);
    CHECK(found.best.at(0).energy == 24.0);
    CHECK(qubo::violated(p, found.best.at(0).x) < 0);
    settings.target = 23.0;
    CHECK(solve_constrained(qubo::model_of(p), settings, Rng(1), std::stop_token())
              .best.at(0)
              .energy >= 23.0);
  }
}

}  // namespace oa::solve
