#include "oa/base/exact_sum.h"

#include "oa/base/rng.h"

#include <doctest/doctest.h>

#include <cmath>
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
}
