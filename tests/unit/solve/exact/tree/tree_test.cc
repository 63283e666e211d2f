#include "oa/solve/exact/tree/tree.h"

#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/exact/tree/elimination.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"
#include "unit/solve/random_sparse.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace oa::solve {
namespace {

std::optional<Result> solve(const qubo::Quadratic& f, int threads = 1) {
  const Solution known({}, std::vector<std::uint8_t>(f.linear.size()));
  return solve_tree({.f = f, .settings = {}, .known = known, .threads = threads}, {});
}

qubo::Quadratic grid(int rows, int columns, Rng& rng) {
  qubo::Quadratic f(rows * columns);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < rows * columns; ++i) {
    f.linear[static_cast<std::size_t>(i)] = rng.normal();
    if (i % columns != 0) {
      terms.push_back({i - 1, i, rng.normal()});
    }
    if (i >= columns) {
      terms.push_back({i - columns, i, rng.normal()});
    }
  }
  f.add(terms);
  return f;
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("a tree decomposition finds the smallest of all minima") {
    test::each_fork(Rng(91), 2000, [&](Rng& rng, int t) {
      const int n = 1 + test::below(rng, 12);
      const auto f = random_sparse(rng, n, 3.0 / n, t % 4 != 0);
      const auto found = solve(f);
      REQUIRE(found);
      CHECK(found->best.front().x == ref::smallest_optimum(f));
      CHECK(found->best.front().energy == qubo::energy(f, found->best.front().x));
      CHECK(found->status == qubo::Status::ProvedOptimal);
      CHECK(found->bound <= found->best.front().energy);
    });
  }

  TEST_CASE("counts of minima agree with exhaustive search") {
    Rng rng(9);
    for (int k = 0; k < 200; ++k) {
      CAPTURE(k);
      const int n = 1 + test::below(rng, 12);
      const qubo::Quadratic f = random_sparse(rng, n, 3.0 / n, k % 4 != 0);
      std::uint64_t count = 0;
      TwoDoubles least{std::numeric_limits<double>::infinity(), 0.0};
      for (unsigned bits = 0; bits < (1U << n); ++bits) {
        const TwoDoubles energy = exact_energy(f, ref::bits_of(bits, n)).two();
        count = energy < least ? 1 : count + (least < energy ? 0 : 1);
        least = std::min(least, energy);
      }
      CHECK(count_minima(f, 1, {}).count == count);
    }
  }

  TEST_CASE("counts of minima stop at the largest integer, and widths are reported") {
    qubo::Quadratic free(70);
    CHECK(count_minima(free, 1, {}).count == ~std::uint64_t{0});
    Rng rng(2);
    const MinimaCount wide = count_minima(grid(40, 40, rng), 1, {});
    CHECK(!wide.count);
    CHECK(wide.why.find("wide need tables of 2^") != std::string::npos);
  }

  TEST_CASE("blocks that share single variables are as wide as the widest of them") {
    constexpr int kBlocks = 9;
    constexpr int kWidth = 9;
    Rng rng(5);
    qubo::Quadratic f(kBlocks * kWidth + 1);
    std::vector<qubo::Term> terms;
    for (int block = 0; block < kBlocks; ++block) {
      // The first variable is the last one of the block before, or of an earlier one.
      const int shared = block == 0 ? 0 : kWidth * (1 + test::below(rng, block));
      for (int i = 1; i <= kWidth; ++i) {
        terms.push_back({shared, block * kWidth + i, rng.normal()});
        for (int k = 1; k < i; ++k) {
          terms.push_back({block * kWidth + k, block * kWidth + i, rng.normal()});
        }
      }
    }
    f.add(terms);
    const Stop never;
    Pace pace(never);
    const auto order =
        eliminate(in_whole_numbers(f, digits_of(f).unit, pace), kWidth, never);
    REQUIRE(order);
    CHECK(order->width == kWidth);
    CHECK(solve(f).has_value());
  }

  TEST_CASE("numbers with more digits than a double are not rounded") {
    // 2^60 + 1 and 2^60 differ only in the last digit.
    const double large = 0x1p60;
    qubo::Quadratic f(3);
    f.linear = {-large, -large, 1.0};
    f.add(qubo::Terms{{0, 1, large}, {0, 2, -2.0}, {1, 2, -1.0}});
    const auto found = solve(f);
    REQUIRE(found);
    CHECK(found->best.front().x == std::vector<std::uint8_t>{1, 1, 1});
    CHECK(found->best.front().x == ref::smallest_optimum(f));
  }

  TEST_CASE("the tables of a grid are as large as its shorter side says") {
    Rng rng(92);
    const auto f = grid(9, 30, rng);
    const Stop never;
    Pace pace(never);
    const auto order =
        eliminate(in_whole_numbers(f, digits_of(f).unit, pace), 26, never);
    REQUIRE(order);
    CHECK(order->width < 15);
    CHECK(order->entries <= 270.0 * 1024.0);
    CHECK(order->steps.size() == 270);
    CHECK_FALSE(eliminate(in_whole_numbers(f, digits_of(f).unit, pace), 5, never));
  }

  TEST_CASE(
      "a long strip has an elimination order, and a part of a square has no good one") {
    Rng rng(96);
    const Stop never;
    const auto found = [&](int rows, int columns) {
      Pace pace(never);
      const auto f = grid(rows, columns, rng);
      return eliminate(in_whole_numbers(f, digits_of(f).unit, pace), 26, never);
    };
    const auto strip = found(8, 600);
    REQUIRE(strip);
    CHECK(strip->width <= 12);
    CHECK(strip->steps.size() == 4800);
    CHECK_FALSE(found(70, 70));
  }

  TEST_CASE("a tree decomposition is the same for any number of threads") {
    Rng rng(93);
    const auto f = grid(17, 17, rng);
    const auto one = solve(f, 1);
    const auto more = solve(f, 3);
    REQUIRE(one);
    REQUIRE(more);
    CHECK(one->best.front().x == more->best.front().x);
  }

  TEST_CASE("problems that are too wide, or without time, are left to other methods") {
    Rng rng(94);
    CHECK_FALSE(solve(grid(40, 40, rng)));
    const auto f = grid(12, 12, rng);
    const Solution known({}, std::vector<std::uint8_t>(f.linear.size()));
    CHECK_FALSE(solve_tree({.f = f, .settings = {}, .known = known}, Stop({}, 0.0)));
  }
}

}  // namespace oa::solve
