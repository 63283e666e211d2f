#include "oa/base/exact_sum.h"

#include "oa/base/rng.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace {

double sum(const std::vector<double>& terms) {
  oa::ExactSum s;
  for (const double x : terms) {
    s.add(x);
  }
  return s.value();
}

}  // namespace

TEST_SUITE("base") {
  TEST_CASE("an exact sum loses nothing") {
    CHECK(sum({}) == 0.0);
    CHECK(sum({1e100, 1.0, -1e100}) == 1.0);
    CHECK(sum({1.0, 0x1p-60, -1.0}) == 0x1p-60);
    CHECK(sum({0x1p1000, 0x1p-1074, -0x1p1000}) == 0x1p-1074);
  }

  TEST_CASE("an exact sum rounds once, ties to even") {
    CHECK(sum({1.0, 0x1p-53}) == 1.0);
    CHECK(sum({1.0, 0x1p-53, 0x1p-200}) == 1.0 + 0x1p-52);
    CHECK(sum({1.0, 0x1p-53, -0x1p-200}) == 1.0);
    CHECK(sum({1.0 + 0x1p-52, 0x1p-53}) == 1.0 + 0x1p-51);
    CHECK(sum({1.0 + 0x1p-52, 0x1p-53, -0x1p-200}) == 1.0 + 0x1p-52);
    CHECK(sum({-1.0, -0x1p-53, -0x1p-200}) == -1.0 - 0x1p-52);
  }

  TEST_CASE("many numbers at once have the sum that they have one by one") {
    oa::test::each_fork(oa::Rng(3), 60, [&](oa::Rng& rng, int t) {
      const std::uint32_t spread = t % 3 == 0 ? 1 : t % 3 == 1 ? 300 : 2000;
      std::vector<double> terms(rng.below(3000));
      for (double& x : terms) {
        const int exponent = static_cast<int>(rng.below(spread));
        x = std::ldexp(rng.normal(), exponent - static_cast<int>(spread) / 2 - 20);
      }
      oa::ExactSum at_once;
      at_once.add(0.1);
      at_once.add(std::span<const double>(terms));
      terms.push_back(0.1);
      CHECK(at_once.value() == sum(terms));
      for (const double x : terms) {
        at_once.add(-x);
      }
      CHECK(at_once.value() == 0.0);
    });
    oa::ExactSum extremes;
    std::vector<double> terms(100, 0x1p-1074);
    terms[50] = 0x1p1015;
    extremes.add(std::span<const double>(terms));
    extremes.add(-0x1p1015);
    CHECK(extremes.value() == 99 * 0x1p-1074);
  }

  TEST_CASE("an exact sum does not depend on the order or the grouping") {
    oa::Rng rng(1);
    for (int t = 0; t < 200; ++t) {
      std::vector<double> terms;
      for (int i = 0; i < 50; ++i) {
        terms.push_back(
            std::ldexp(rng.normal(), static_cast<int>(rng.below(300)) - 150));
      }
      const double once = sum(terms);
      rng.shuffle(std::span(terms));
      CHECK(sum(terms) == once);
      oa::ExactSum left;
      oa::ExactSum right;
      for (std::size_t i = 0; i < terms.size(); ++i) {
        (i % 3 == 0 ? left : right).add(terms[i]);
      }
      left.add(right);
      CHECK(left.value() == once);
      for (const double x : std::vector(terms)) {
        terms.push_back(-x);
      }
      rng.shuffle(std::span(terms));
      CHECK(sum(terms) == 0.0);
    }
  }

  TEST_CASE("a sum with an infinite term stays infinite, whatever follows") {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    oa::ExactSum all;
    for (int k = 0; k < 100; ++k) {
      all.add(std::ldexp(0.3, 20 * (k % 50) - 500));
      oa::ExactSum copy = all;
      copy.add(-kInfinite);
      for (int i = 0; i < 100; ++i) {
        copy.add(0.1 * i);
        copy.subtract(all);
      }
      CHECK(copy.value() == -kInfinite);
      CHECK(copy.two().value == -kInfinite);
      CHECK(copy.rounded_down() == -kInfinite);
    }
  }
}
