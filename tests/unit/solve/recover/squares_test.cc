#include "oa/solve/recover/squares.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/portfolio/squares.h"
#include "oa/solve/program/chains.h"
#include "oa/solve/program/exchange.h"
#include "oa/solve/program/whole_program.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"
#include "unit/solve/recover/planted.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace oa::solve {
namespace {

using test::between;

/// A random objective of `n` variables, with squares over some of them and over digits
/// that follow.
struct Planted {
  qubo::Quadratic f;
  std::size_t squares = 0;
};

Planted planted(Rng& rng,
                int n,
                double penalty,
                const std::vector<int>& digits,
                bool linear = false) {
  const int count = between(rng, 1, 2);
  Planted all{qubo::Quadratic(n + count * static_cast<int>(digits.size())), at(count)};
  std::vector<qubo::Term> terms;
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t k = 0; k <= i; ++k) {
      if (linear ? i == k : rng.below(2) == 0) {
        terms.push_back({k, i, static_cast<double>(between(rng, -3, 3))});
      }
    }
  }
  all.f.add(terms);
  for (int k = 0; k < count; ++k) {
    Square s;
    s.penalty = penalty;
    for (std::int32_t i = k; i < n; ++i) {
      s.entries.push_back({i, between(rng, 1, 3) * (rng.below(3) == 0 ? -1 : 1)});
    }
    for (std::size_t d = 0; d < digits.size(); ++d) {
      s.entries.push_back(
          {n + k * static_cast<int>(digits.size()) + static_cast<int>(d), digits[d]});
    }
    s.right = between(rng, 1, 5);
    add_square(all.f, s);
  }
  return all;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("squares are found, and with what remains they are the function") {
    const std::vector<std::vector<int>> kinds{{1, 2, 4}, {1, 1, 2}, {1, -2, 3}, {2, 3}};
    int clean = 0;
    test::each_fork(Rng(78), 400, [&](Rng& rng, int k) {
      const auto& digits = kinds[k % kinds.size()];
      const Planted p = planted(rng, 8, 1000.0, digits);
      const Squares all = find_squares(p.f, Stop());
      if (all.squares.empty()) {
        return;
      }
      double most = 0.0;
      for (const qubo::Term& t : all.rest.terms()) {
        most = std::max(most, std::abs(t.weight));
      }
      clean += most <= 3.0 && all.squares.size() == p.squares ? 1 : 0;
      for (int t = 0; t < 20; ++t) {
        const auto x = ref::bits_of(rng.u32(), p.f.size());
        CHECK(value_of(all, x) == qubo::energy(p.f, x));
      }
    });
    CHECK(clean > 300);
  }

  TEST_CASE("a program keeps the values of x that satisfy its squares") {
    test::each_fork(Rng(79), 200, [&](Rng& rng) {
      const Planted p = planted(rng, 7, 500.0, {1, 2, 4});
      const Squares all = find_squares(p.f, Stop());
      if (all.squares.empty()) {
        return;
      }
      const SquareProgram program(all);
      const int n = program.objective().size();  // those without a rest become slack
      for (int t = 0; t < 50; ++t) {
        const auto y = ref::bits_of(rng.u32(), n);
        const auto x = program.restored(y);
        CHECK(program.shortened(x) == y);
        bool holds = true;
        for (const qubo::ProgramRow& row : program.rows()) {
          std::int64_t sum = 0;
          for (const auto& e : row.entries) {
            sum += y[at(e.variable)] != 0 ? e.weight : 0;
          }
          holds = holds && row.low <= sum && sum <= row.high;
        }
        const double of_program = qubo::energy(program.objective(), y);
        const double of_function = qubo::energy(p.f, x);
        CHECK((of_function == of_program) == holds);
        CHECK(of_function >= of_program);
      }
    });
  }

  TEST_CASE("proofs and bounds under squares hold, whatever the penalties") {
    CheckedProofs proofs;
    test::each_fork(Rng(80), 300, [&](Rng& rng, int k) {
      const bool linear = k % 2 == 1;
      const double penalty = between(rng, 1, linear ? 4 : 90);
      const Planted p = planted(rng, 6, penalty, {1, 2}, linear);
      proofs.check(p.f, find_squares(p.f, Stop()), rng);
    });
    CHECK(proofs.found > 20);
    CHECK(proofs.proved > 20);
    CHECK(proofs.sufficient > 20);
  }

  TEST_CASE("a penalty that is too small is told, and by how much") {
    qubo::Quadratic f(5);
    Square s{.entries = {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}}, .right = 2};
    s.penalty = 8.0;
    add_square(f, s);
    f.add(qubo::Terms{{1, 1, -10.0}, {2, 2, -10.0}, {3, 3, -10.0}, {4, 4, -10.0}});
    qubo::Recovered recovered;
    const std::vector<std::uint8_t> three{0, 1, 1, 1, 0};
    const Solution known(qubo::exact_energy(f, three).two(), three);
    const PartTask task{
        .f = f, .settings = {}, .known = known, .recovered = &recovered};
    const Squares all = find_squares(f, Stop());
    REQUIRE(all.squares.size() == 1);
    const Result r = solve_squares(task, all, Rng(1), Stop());
    CHECK(r.best.front().energy == -22.0);  // -20 with both of two
    CHECK(recovered.penalties == "too small: square 1 by 2");
  }

  TEST_CASE("the model of squares has the optimum of the x that satisfy them") {
    test::each_fork(Rng(84), 100, [&](Rng& rng) {
      const Planted p = planted(rng, 6, 500.0, {1, 2});
      const Squares all = find_squares(p.f, Stop());
      if (all.squares.empty()) {
        return;
      }
      const qubo::Model model = model_of(all, {});
      double best = std::numeric_limits<double>::infinity();
      ref::each_x(model.size(), [&](const auto& x) {
        if (qubo::violated(model, x) < 0) {
          best = std::min(best, qubo::exact_value(model, x).value());
        }
      });
      CHECK(best == least_values(p.f, all).first);
    });
  }

  TEST_CASE("chains of twins end, as each variable flips once") {
    constexpr int kVariables = 600;
    Rng rng(5);
    qubo::Quadratic f(kVariables);
    std::vector<qubo::Term> terms;
    for (int i = 0; i < 3 * kVariables; ++i) {
      const int a = between(rng, 0, kVariables - 2);
      terms.push_back(
          {a, between(rng, a + 1, kVariables - 1), 1.0 * between(rng, -9, 9)});
    }
    f.add(terms);
    std::vector<qubo::ProgramRow> rows;
    for (std::int32_t i = 0; i < kVariables; i += 10) {
      qubo::Constraint c{"c", {}, qubo::Relation::AtMost, 3.0};
      for (std::int32_t k = i; k < i + 10; ++k) {
        c.terms.push_back({k, k, 1.0});
      }
      rows.push_back(qubo::row_of(c, qubo::Vartype::Binary));
    }
    const std::vector<std::uint8_t> none(kVariables);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const auto x =
          Chains(f, rows, Stop()).run(none, {.sweeps = 20}, rng.fork(seed), Stop());
      CHECK(feasible(rows, x));
      CHECK(qubo::energy(f, x) <= 0.0);
    }
  }

  TEST_CASE("a square whose linear terms have too many digits is none") {
    // Products 2 P w of P (x0 + x1 + w x2 - r)^2 without its linear terms.
    constexpr double kPenalty = 0x1p15;
    constexpr double kWeight = 0x1p29;
    qubo::Quadratic f(5);
    f.add(qubo::Terms{{0, 1, 2.0 * kPenalty},
                      {0, 2, 2.0 * kPenalty * kWeight},
                      {1, 2, 2.0 * kPenalty * kWeight},
                      {3, 4, 1.0}});
    CHECK(find_squares(f, Stop()).squares.empty());
  }

  TEST_CASE("random problems have no squares") {
    test::each_fork(Rng(82), 200, [&](Rng& rng, int k) {
      const qubo::Quadratic f = ref::normal_quadratic(rng, 20, k % 2 == 0 ? 0.3 : 1.0);
      CHECK(find_squares(f, Stop()).squares.empty());
    });
  }

  TEST_CASE("a search reports x that hold, each better than the last") {
    test::each_fork(Rng(83), 50, [&](Rng& rng) {
      const Planted p = planted(rng, 9, 800.0, {1, 2, 4});
      const Squares all = find_squares(p.f, Stop());
      if (all.squares.empty()) {
        return;
      }
      const SquareProgram program(all);
      double last = std::numeric_limits<double>::infinity();
      ExchangeSettings settings;
      settings.improved = [&](std::span<const std::uint8_t> y) {
        const double energy = qubo::energy(program.objective(), y);
        CHECK(energy < last);
        CHECK(energy == qubo::energy(p.f, program.restored(y)));
        last = energy;
        return false;
      };
      const Exchanged found =
          Exchange(program.objective(), program.rows())
              .run(std::vector<std::uint8_t>(program.variables().size()),
                   settings,
                   rng,
                   Stop());
      if (found.feasible) {
        CHECK(qubo::energy(program.objective(), found.x) == last);
      }
    });
  }
}

}  // namespace oa::solve
