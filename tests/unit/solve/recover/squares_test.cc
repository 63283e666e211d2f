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

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace oa::solve {
namespace {

using test::between;

/// Adds penalty (sum of entries - right)^2.
void add_square(qubo::Quadratic& f, const Square& s) {
  std::vector<qubo::Term> terms;
  for (const auto& a : s.entries) {
    const auto weight = static_cast<double>(a.weight);
    terms.push_back(
        {a.variable,
         a.variable,
         s.penalty * weight * (weight - 2.0 * static_cast<double>(s.right))});
    for (const auto& b : s.entries) {
      if (a.variable < b.variable) {
        terms.push_back({a.variable,
                         b.variable,
                         2.0 * s.penalty * weight * static_cast<double>(b.weight)});
      }
    }
  }
  f.add(terms);
  f.add_constant(s.penalty * static_cast<double>(s.right * s.right));
}

double sum_of(const Squares& all, const std::vector<std::uint8_t>& x) {
  double sum = qubo::energy(all.rest, x);
  for (const Square& s : all.squares) {
    std::int64_t left = -s.right;
    for (const auto& e : s.entries) {
      left += x[at(e.variable)] != 0 ? e.weight : 0;
    }
    sum += s.penalty * static_cast<double>(left * left);
  }
  return sum;
}

/// The least values of x that satisfy all squares, and of all other x.
std::pair<double, double> least_values(const qubo::Quadratic& f, const Squares& all) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::pair least{kNone, kNone};
  for (std::uint32_t bits = 0; bits < 1U << f.size(); ++bits) {
    const auto x = ref::bits_of(bits, f.size());
    const double energy = qubo::energy(f, x);
    double& own = energy == qubo::energy(all.rest, x) ? least.first : least.second;
    own = std::min(own, energy);
  }
  return least;
}

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
        CHECK(sum_of(all, x) == qubo::energy(p.f, x));
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
    int found = 0;
    int proved = 0;
    int sufficient = 0;
    test::each_fork(Rng(80), 300, [&](Rng& rng, int k) {
      const bool linear = k % 2 == 1;
      const double penalty = between(rng, 1, linear ? 4 : 90);
      const Planted p = planted(rng, 6, penalty, {1, 2}, linear);
      const Squares all = find_squares(p.f, Stop());
      if (all.squares.empty()) {
        return;
      }
      ++found;
      const Solution start(
          qubo::exact_energy(p.f, std::vector<std::uint8_t>(at(p.f.size()))).two(),
          std::vector<std::uint8_t>(at(p.f.size())));
      qubo::Recovered recovered;
      const PartTask task{
          .f = p.f, .settings = {}, .known = start, .recovered = &recovered};
      const Result r = solve_squares(task, all, rng, Stop());
      const double best = ref::best_value(p.f);
      CHECK(r.best.front().energy == qubo::energy(p.f, r.best.front().x));
      CHECK(r.best.front().energy >= best);
      CHECK(r.bound <= best);
      if (r.status == qubo::Status::ProvedOptimal) {
        ++proved;
        CHECK(r.best.front().energy == best);
      }
      const auto [holding, violating] = least_values(p.f, all);
      if (recovered.penalties == "sufficient") {
        ++sufficient;
        CHECK(holding < violating);
      } else if (!recovered.penalties.empty()) {
        CHECK(recovered.penalties.starts_with("too small: square "));
        CHECK(violating < holding);
      }
    });
    CHECK(found > 20);
    CHECK(proved > 20);
    CHECK(sufficient > 20);
  }

  TEST_CASE("a penalty that is too small is told, and by how much") {
    qubo::Quadratic f(5);
    Square s{.entries = {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}}, .right = 2};
    s.penalty = 8.0;
    add_square(f, s);
    f.add(std::vector<qubo::Term>{
        {1, 1, -10.0}, {2, 2, -10.0}, {3, 3, -10.0}, {4, 4, -10.0}});
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
      for (std::uint32_t bits = 0; bits < 1U << model.size(); ++bits) {
        const auto x = ref::bits_of(bits, model.size());
        if (qubo::violated(model, x) < 0) {
          best = std::min(best, qubo::exact_value(model, x).value());
        }
      }
      CHECK(best == least_values(p.f, all).first);
    });
  }

  TEST_CASE("chains keep rows, never lose, and find small optima") {
    int hits = 0;
    int tried = 0;
    test::each_fork(Rng(85), 100, [&](Rng& rng) {
      const Planted p = planted(rng, 9, 800.0, {1, 2, 4});
      const Squares all = find_squares(p.f, Stop());
      if (all.squares.empty()) {
        return;
      }
      const SquareProgram program(all);
      const int n = program.objective().size();
      std::vector<std::uint8_t> start;
      double best = std::numeric_limits<double>::infinity();
      for (std::uint32_t bits = 0; bits < 1U << n; ++bits) {
        const auto y = ref::bits_of(bits, n);
        if (feasible(program.rows(), y)) {
          start = start.empty() ? y : start;
          best = std::min(best, qubo::energy(program.objective(), y));
        }
      }
      if (start.empty()) {
        return;
      }
      const auto y = Chains(program.objective(), program.rows(), Stop())
                         .run(start, {.length = 4, .sweeps = 100}, rng, Stop());
      const double energy = qubo::energy(program.objective(), y);
      CHECK(feasible(program.rows(), y));
      CHECK(energy <= qubo::energy(program.objective(), start));
      CHECK(energy >= best);
      ++tried;
      hits += energy == best ? 1 : 0;
    });
    CHECK(tried > 20);
    CHECK(hits > tried / 2);
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

  TEST_CASE("programs of other tools' reductions give their function back") {
    test::each_fork(Rng(81), 200, [&](Rng& rng) {
      qubo::Polynomial p;
      p.n = 7;
      for (std::int32_t i = 0; i < p.n; ++i) {
        p.monomials.push_back({{i}, static_cast<double>(between(rng, -9, 9))});
      }
      for (int r = between(rng, 1, 3); r > 0; --r) {
        qubo::Constraint c{"c", {}, static_cast<qubo::Relation>(rng.below(3)), 0.0};
        for (std::int32_t i = 0; i < p.n; ++i) {
          c.terms.push_back({i, i, static_cast<double>(between(rng, -3, 5))});
        }
        c.right = between(rng, -2, 6);
        p.constraints.push_back(std::move(c));
      }
      const qubo::Quadratic f = qubo::reduced(p, "here").f;
      const Squares all = find_squares(f, Stop());
      if (!all.squares.empty()) {
        for (int t = 0; t < 20; ++t) {
          const auto x = ref::bits_of(rng.u32(), f.size());
          CHECK(sum_of(all, x) == qubo::energy(f, x));
        }
      }
    });
  }

  TEST_CASE("a square whose linear terms have too many digits is none") {
    // Products 2 P w of P (x0 + x1 + w x2 - r)^2 without its linear terms.
    constexpr double kPenalty = 0x1p15;
    constexpr double kWeight = 0x1p29;
    qubo::Quadratic f(5);
    f.add(std::vector<qubo::Term>{{0, 1, 2.0 * kPenalty},
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
