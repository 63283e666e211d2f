#include "oa/solve/program/product_search.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace oa::solve {
namespace {

using test::between;

constexpr Whole kNoLeast = Whole{1} << 40;  // above all values

qubo::ProgramRow row_over(const std::vector<std::int64_t>& weights) {
  qubo::ProgramRow row;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] != 0) {
      row.entries.push_back({static_cast<std::int32_t>(i), weights[i]});
      (weights[i] > 0 ? row.most : row.least) += weights[i];
    }
  }
  return row;
}

/// A knapsack, an assignment, or rows of any weights with one limit or two; products
/// of all pairs or of few.
WholeProgram quadratic_program(Rng& rng) {
  WholeProgram p;
  const bool assigns = rng.below(3) == 0;
  const int side = between(rng, 2, 3);
  const int n = assigns ? side * side : between(rng, 2, 11);
  const bool gains = rng.below(2) == 0;
  const auto weight = [&] { return between(rng, -30, gains ? 0 : 30); };
  for (std::int32_t i = 0; i < n; ++i) {
    p.linear.push_back(3 * weight());
    for (std::int32_t k = 0; k < i; ++k) {
      if (rng.below(3) != 0) {
        p.products.push_back({{k, i}, 3 * weight()});
      }
    }
  }
  p.products.push_back({{0, 1}, 3});
  p.step = 3;
  const auto add = [&](const std::vector<std::int64_t>& weights) -> qubo::ProgramRow& {
    return p.rows.emplace_back(row_over(weights));
  };
  if (assigns) {
    for (int k = 0; k < 2 * side; ++k) {
      std::vector<std::int64_t> weights(at(n));
      for (int i = 0; i < side; ++i) {
        weights[at(k < side ? k * side + i : i * side + k - side)] = 1;
      }
      qubo::ProgramRow& row = add(weights);
      row.low = row.high = 1;
    }
    return p;
  }
  for (int k = between(rng, 1, 3); k > 0; --k) {
    std::vector<std::int64_t> weights;
    const int least = rng.below(2) == 0 ? 1 : -9;
    for (int i = 0; i < n; ++i) {
      weights.push_back(between(rng, least, 9));
    }
    weights[0] = 5;
    qubo::ProgramRow& row = add(weights);
    row.low = row.least;
    row.high = row.most - between(rng, 1, static_cast<int>(row.most - row.least));
    if (rng.below(3) == 0) {
      row.low = row.high;
    }
  }
  return p;
}

/// The least value of all feasible x with the given values; kNoLeast if there is none.
Whole least_with(const WholeProgram& p, const std::vector<std::uint8_t>& values) {
  Whole best = kNoLeast;
  for (unsigned k = 0; k < 1U << static_cast<unsigned>(p.size()); ++k) {
    const auto x = ref::bits_of(k, p.size());
    bool fits = feasible(p.rows, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      fits = fits && (values[i] == Propagation::kUnset || values[i] == x[i]);
    }
    if (fits) {
      best = std::min(best, value_of(p, x));
    }
  }
  return best;
}

template <class Check>
void for_quadratic_programs(std::uint64_t count, const Check& check) {
  const Rng root(5);
  for (std::uint64_t t = 0; t < count; ++t) {
    CAPTURE(t);
    Rng rng = root.fork(t);
    const WholeProgram p = quadratic_program(rng);
    REQUIRE(ProductBound::suits(p));
    check(p, rng);
  }
}

TEST_SUITE("solve: products") {
  TEST_CASE("a search finds and proves the least value, in one run or in many") {
    for_quadratic_programs(400, [](const WholeProgram& p, Rng& rng) {
      const Whole least =
          least_with(p, std::vector<std::uint8_t>(at(p.size()), Propagation::kUnset));
      Whole found = kNoLeast;
      const auto improved = [&](std::span<const std::uint8_t> x) {
        CHECK(feasible(p.rows, x));
        CHECK(value_of(p, x) < found);
        found = value_of(p, x);
        return false;
      };
      ProductSearch search(p, kNoLeast, improved);
      const std::int64_t work = rng.below(2) == 0 ? 2000 : 1'000'000'000;
      int runs = 1;
      while (!search.run(work * runs, Stop()) && runs < 1000) {
        ++runs;
      }
      CHECK(runs < 1000);
      CHECK(found == least);
      if (const auto bound = search.first_bound(); bound && least < kNoLeast) {
        CHECK(*bound <= least);
      }
    });
  }

  TEST_CASE("a search that knows the least value finds nothing and proves it") {
    for_quadratic_programs(200, [](const WholeProgram& p, Rng&) {
      const Whole least =
          least_with(p, std::vector<std::uint8_t>(at(p.size()), Propagation::kUnset));
      ProductSearch search(p, least, [](std::span<const std::uint8_t>) {
        FAIL("no x is better");
        return false;
      });
      CHECK(search.run(1'000'000'000, Stop()));
    });
  }

  TEST_CASE("a search ends after an x that suffices") {
    for_quadratic_programs(50, [](const WholeProgram& p, Rng&) {
      int calls = 0;
      ProductSearch search(p, kNoLeast, [&](std::span<const std::uint8_t>) {
        ++calls;
        return true;
      });
      const bool proved = search.run(1'000'000'000, Stop());
      CHECK(calls == (proved ? 0 : 1));
    });
  }

  TEST_CASE("bounds and reduced costs hold for all shares and prices, and any values") {
    for_quadratic_programs(150, [](const WholeProgram& p, Rng& rng) {
      ProductBound bound(p);
      Propagation values(p.rows, p.size());
      for (int pass = 0; pass < 12; ++pass) {
        const std::int32_t next = between(rng, 0, p.size() - 1);
        if (pass % 4 == 3 && values.open(next) &&
            !values.set(next, static_cast<std::uint8_t>(rng.below(2)))) {
          break;  // a row fails
        }
        bound.enter(values);
        const double scale = std::ldexp(1.0, bound.shift());
        const double low = bound.evaluate();
        const Whole least = least_with(p, values.values());
        if (least < kNoLeast) {
          CHECK(low <= scale * static_cast<double>(least));
        }
        for (const std::int32_t i : bound.open()) {
          std::vector<std::uint8_t> other = values.values();
          other[at(i)] = bound.reduced_cost(i) > 0.0 ? 1 : 0;
          const Whole beyond = least_with(p, other);
          if (beyond < kNoLeast) {
            CHECK(low + std::abs(bound.reduced_cost(i)) <=
                  scale * static_cast<double>(beyond));
          }
        }
        bound.improve(
            rng.below(2) == 0 ? ProductBound::Way::Even : ProductBound::Way::Step,
            rng.uniform(),
            scale * 50.0);
      }
    });
  }

  TEST_CASE("cubic, linear, large and wide-ranged programs do not suit") {
    Rng rng(1);
    const auto suits = [](const WholeProgram& p) { return ProductBound::suits(p); };
    WholeProgram p = quadratic_program(rng);
    CHECK(suits(p));
    WholeProgram cubic = p;
    cubic.products.push_back({{0, 1, 2}, 1});
    CHECK_FALSE(suits(cubic));
    WholeProgram linear = p;
    linear.products.clear();
    CHECK_FALSE(suits(linear));
    WholeProgram wide = p;
    wide.linear[0] = Whole{1} << 60;
    CHECK_FALSE(suits(wide));
    WholeProgram large = p;
    large.linear.resize(5000);
    CHECK_FALSE(suits(large));
  }
}

}  // namespace
}  // namespace oa::solve
