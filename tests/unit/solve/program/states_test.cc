#include "oa/solve/program/states.h"

#include "oa/base/rng.h"
#include "oa/solve/program/backtrack.h"
#include "oa/solve/program/exchange.h"
#include "oa/solve/program/multipliers.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

namespace oa::solve {
namespace {

using test::between;

qubo::Program random_program(Rng& rng) {
  qubo::Polynomial p;
  p.n = between(rng, 2, 10);
  for (std::int32_t i = 0; i < p.n; ++i) {
    p.monomials.push_back({{i}, 0.25 * between(rng, -40, 40)});
  }
  for (int k = between(rng, 0, 1) * p.n; k > 0; --k) {
    const std::int32_t i = between(rng, 0, p.n - 2);
    p.monomials.push_back(
        {{i, between(rng, i + 1, p.n - 1)}, 0.5 * between(rng, -9, 9)});
  }
  for (int k = between(rng, 1, 6); k > 0; --k) {
    qubo::Constraint c{"c", {}, static_cast<qubo::Relation>(rng.below(3)), 0.0};
    for (std::int32_t i = 0; i < p.n; ++i) {
      c.terms.push_back({i, i, static_cast<double>(between(rng, -3, 5))});
    }
    c.right = between(rng, -2, 6);
    p.constraints.push_back(std::move(c));
  }
  return qubo::program_of(p, "here");
}

std::optional<Whole> least(const WholeProgram& p) {
  std::optional<Whole> best;
  ref::each_x(p.size(), [&](const auto& x) {
    if (feasible(p.rows, x) && (!best || value_of(p, x) < *best)) {
      best = value_of(p, x);
    }
  });
  return best;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("states of any width bound a program, and many of them prove it") {
    int proved = 0;
    int without = 0;
    test::each_fork(Rng(9), 500, [&](Rng& rng) {
      const qubo::Program program = random_program(rng);
      if (std::ranges::any_of(program.rows, &qubo::ProgramRow::never)) {
        return;
      }
      const WholeProgram p = in_whole_numbers(program).value();
      const std::optional<Whole> best = least(p);
      const StateTables tables(p, std::nullopt);
      for (const std::size_t width : {1U, 3U, 10'000U}) {
        const StatesFound found = search_states(tables, std::nullopt, width, Stop());
        CHECK((found.proved || width < 10'000));
        CHECK((found.bound.has_value() || !best));
        if (found.proved) {
          CHECK(found.bound == best);
          ++proved;
        } else if (best) {
          CHECK(*found.bound <= *best);
        }
        if (!found.x.empty()) {
          CHECK(feasible(p.rows, found.x));
        }
        if (best) {  // beside a known solution, only better ones
          const StatesFound other = search_states(tables, *best, width, Stop());
          CHECK(other.x.empty());
          CHECK(*other.bound <= *best);
        }
      }
      const Backtracked tried = backtrack(p.rows, p.size(), 10'000, Stop());
      CHECK(tried.decided);
      CHECK(tried.x.has_value() == best.has_value());
      CHECK((!tried.x || feasible(p.rows, *tried.x)));
      without += best ? 0 : 1;
    });
    CHECK(proved > 600);
    CHECK(without > 50);
  }

  TEST_CASE("a search that is stopped decides nothing") {
    std::vector<qubo::ProgramRow> rows;  // three variables, no two of which are equal
    for (std::int32_t i = 0; i < 3; ++i) {
      rows.push_back(
          {{{std::min(i, (i + 1) % 3), 1}, {std::max(i, (i + 1) % 3), 1}}, 0, 2, 1, 1});
    }
    CHECK(backtrack(rows, 3, 100, Stop()).decided);
    CHECK_FALSE(backtrack(rows, 3, 100, Stop({}, 0.0)).decided);
    CHECK_FALSE(backtrack(rows, 3, 0, Stop()).decided);
  }

  TEST_CASE("multipliers of one row reach the bound of its relaxation") {
    qubo::Polynomial p;  // min -3a - 2b - c, a + b + c <= 1.5: 3 and half of 2
    p.n = 3;
    p.monomials = {{{0}, -3.0}, {{1}, -2.0}, {{2}, -1.0}};
    p.constraints = {{"c", {{0, 0, 2.0}, {1, 1, 2.0}, {2, 2, 2.0}}, {}, 3.0}};
    p.constraints[0].relation = qubo::Relation::AtMost;
    WholeProgram whole = in_whole_numbers(qubo::program_of(p, "here")).value();
    whole.rows[0] = {{{0, 2}, {1, 2}, {2, 2}}, 0, 6, 0, 3};
    const std::vector<double> l = multipliers(whole, linear_below(whole), 0.0);
    CHECK(l.at(0) == 1.0);
  }

  TEST_CASE("exchanges keep the number of ones") {
    qubo::Polynomial p;  // the best three of ten
    p.n = 10;
    qubo::Constraint three{"three", {}, qubo::Relation::Equal, 3.0};
    for (std::int32_t i = 0; i < 10; ++i) {
      p.monomials.push_back({{i}, static_cast<double>(10 - i)});
      three.terms.push_back({i, i, 1.0});
    }
    p.constraints = {three};
    const qubo::Program program = qubo::program_of(p, "here");
    ExchangeSettings settings;
    settings.reads = 0;
    const Exchanged found =
        Exchange(program).run({1, 1, 1, 0, 0, 0, 0, 0, 0, 0}, settings, Rng(1), Stop());
    CHECK(found.feasible);
    CHECK(found.x == std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 1, 1, 1});
  }
}

}  // namespace oa::solve
