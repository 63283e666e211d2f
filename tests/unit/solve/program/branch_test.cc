#include "oa/solve/program/branch.h"

#include "oa/base/rng.h"
#include "oa/solve/program/cuts.h"
#include "oa/solve/program/lagrangian.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

namespace oa::solve {
namespace {

using test::between;

/// Up to 12 variables; sparse and dense rows of small, equal and large weights, with
/// one limit or two; whole weights of the objective, or doubles of many digits.
qubo::Program mixed_program(Rng& rng) {
  qubo::Polynomial p;
  p.n = between(rng, 1, 12);
  const bool whole = rng.below(3) != 0;
  const auto weight = [&] {
    return whole ? between(rng, -20, 20) : 100.0 * (rng.uniform() - 0.5);
  };
  for (std::int32_t i = 0; i < p.n; ++i) {
    p.monomials.push_back({{i}, weight()});
  }
  const int products = rng.below(2) == 0 ? between(rng, 0, p.n) : 0;
  for (int k = 0; k < products; ++k) {
    qubo::Monomial m{{}, weight()};
    for (int d = between(rng, 2, 3); d > 0; --d) {
      m.variables.push_back(between(rng, 0, p.n - 1));
    }
    std::ranges::sort(m.variables);
    m.variables.erase(std::ranges::unique(m.variables).begin(), m.variables.end());
    p.monomials.push_back(m);
  }
  for (int k = between(rng, 1, 6); k > 0; --k) {
    qubo::Constraint c{"c", {}, static_cast<qubo::Relation>(rng.below(3)), 0.0};
    const int most = rng.below(3) == 0 ? 1 : rng.below(4) == 0 ? 1'000'000 : 9;
    const bool positive = rng.below(2) == 0;
    double sum = 0.0;
    for (std::int32_t i = 0; i < p.n; ++i) {
      if (rng.below(3) != 0) {
        const double w = between(rng, positive ? 1 : -most, most);
        c.terms.push_back({i, i, w});
        sum += rng.below(2) == 0 ? w : 0.0;
      }
    }
    c.right = rng.below(4) == 0 ? between(rng, -most, most) : sum;
    p.constraints.push_back(std::move(c));
  }
  return qubo::program_of(p, "here");
}

std::optional<Whole> least_of(const WholeProgram& p) {
  std::optional<Whole> best;
  ref::each_x(p.size(), [&](const auto& x) {
    if (feasible(p.rows, x) && (!best || value_of(p, x) < *best)) {
      best = value_of(p, x);
    }
  });
  return best;
}

/// Random programs in whole numbers with their least values.
template <class Check>
void for_random_programs(int count, const Check& check) {
  test::each_fork(Rng(11), count, [&](Rng& rng) {
    const qubo::Program program = mixed_program(rng);
    if (std::ranges::any_of(program.rows, &qubo::ProgramRow::never)) {
      return;
    }
    const WholeProgram p = in_whole_numbers(program).value();
    check(p, least_of(p), rng);
  });
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("linear programs prove what trying every x finds") {
    int without = 0;
    for_random_programs(1500, [&](const WholeProgram& p, auto best, Rng& rng) {
      if (!BranchAndBound::suits(p)) {
        return;
      }
      std::optional<Whole> found;
      std::optional<Whole> bound;
      const auto improved = [&](std::span<const std::uint8_t> x) {
        CHECK(feasible(p.rows, x));
        CHECK((!found || value_of(p, x) < *found));
        found = value_of(p, x);
        return false;
      };
      const auto bounded = [&](Whole raised) {
        CHECK((!bound || raised > *bound));
        bound = raised;
        CHECK((!best || raised <= *best));
      };
      BranchAndBound search(p, {improved, bounded});
      const bool knows = best && rng.below(3) == 0;
      if (knows) {
        search.know(*best);
      }
      int runs = 0;
      while (!search.run(between(rng, 1, 3), 1'000'000, Stop()) && runs < 10'000) {
        ++runs;
      }
      CHECK(runs < 10'000);
      CHECK((knows ? !found : found == best));
      CHECK((!best || bound == best));
      without += best ? 0 : 1;
    });
    CHECK(without > 100);
  }

  TEST_CASE("cuts and tightened rows keep every solution") {
    int found = 0;
    for_random_programs(500, [&](const WholeProgram& p, auto /*best*/, Rng& rng) {
      std::vector<qubo::ProgramRow> tight;
      for (const qubo::ProgramRow& row : p.rows) {
        tight.push_back(tightened(row));
      }
      std::vector<double> point;
      for (int i = 0; i < p.size(); ++i) {
        point.push_back(rng.below(3) == 0 ? 1.0 : rng.uniform());
      }
      const auto cuts = Cuts(p.rows, p.size()).find(point, 100);
      found += static_cast<int>(cuts.size());
      for (const qubo::ProgramRow& cut : cuts) {
        double sum = 0.0;
        for (const auto& [i, weight] : cut.entries) {
          sum += static_cast<double>(weight) * point[static_cast<std::size_t>(i)];
        }
        CHECK(sum > static_cast<double>(cut.high));
      }
      ref::each_x(p.size(), [&](const auto& x) {
        CHECK(feasible(tight, x) == feasible(p.rows, x));
        CHECK((feasible(cuts, x) || !feasible(p.rows, x)));
      });
    });
    CHECK(found > 500);
  }

  TEST_CASE("any prices bound a program") {
    for_random_programs(500, [&](const WholeProgram& whole, auto best, Rng& rng) {
      const WholeProgram p = linearised(whole);
      const int shift = price_digits(p);
      std::vector<double> prices;
      for (std::size_t k = 0; k < p.rows.size(); ++k) {
        const double wild = rng.below(9) == 0 ? 1e300 : 1.0;
        prices.push_back((rng.uniform() - 0.5) * wild * static_cast<double>(p.step));
      }
      const std::vector<std::uint8_t> open(static_cast<std::size_t>(p.size()), 2);
      const Lagrangian l = lagrangian(p.linear, p.rows, prices, shift);
      CHECK((!best || l.minimum(open) <= *best << shift));
    });
  }

  TEST_CASE("an assignment is proved whose prices of rows and columns are known") {
    constexpr int kPlaces = 15;
    Rng rng(4);
    qubo::Polynomial p;
    p.n = kPlaces * kPlaces;
    p.constraints.assign(std::size_t{2} * kPlaces,
                         {"one", {}, qubo::Relation::Equal, 1.0});
    std::int64_t least = 0;  // the sum of all prices
    std::vector<std::int64_t> prices;
    for (int k = 0; k < 2 * kPlaces; ++k) {
      prices.push_back(between(rng, 0, 99));
      least += prices.back();
    }
    for (std::size_t a = 0; a < kPlaces; ++a) {
      for (std::size_t b = 0; b < kPlaces; ++b) {
        const auto i = static_cast<std::int32_t>(a * kPlaces + b);
        const bool best = b == 7 * a % kPlaces;
        const std::int64_t cost = prices[a] + prices[kPlaces + b];
        p.monomials.push_back(
            {{i}, static_cast<double>(cost + (best ? 0 : between(rng, 0, 9)))});
        p.constraints[a].terms.push_back({i, i, 1.0});
        p.constraints[kPlaces + b].terms.push_back({i, i, 1.0});
      }
    }
    const WholeProgram whole = in_whole_numbers(qubo::program_of(p, "here")).value();
    if (!BranchAndBound::suits(whole)) {
      return;
    }
    std::optional<Whole> found;
    BranchAndBound search(whole,
                          {[&](std::span<const std::uint8_t> x) {
                             found = value_of(whole, x);
                             return false;
                           },
                           [](Whole) {}});
    CHECK(search.run(1000, 10'000'000, Stop()));
    CHECK(found == in_units(static_cast<double>(least), whole.unit));
  }

  TEST_CASE("a stopped search goes on where it was") {
    for_random_programs(50, [&](const WholeProgram& p, auto best, Rng& /*rng*/) {
      if (!BranchAndBound::suits(p)) {
        return;
      }
      std::optional<Whole> found;
      BranchAndBound search(p,
                            {[&](std::span<const std::uint8_t> x) {
                               found = value_of(p, x);
                               return false;
                             },
                             [](Whole) {}});
      CHECK_FALSE(search.run(100, 1'000'000, Stop({}, 0.0)));
      CHECK(search.run(100'000, 1'000'000'000, Stop()));
      CHECK(found == best);
    });
  }
}

}  // namespace oa::solve
