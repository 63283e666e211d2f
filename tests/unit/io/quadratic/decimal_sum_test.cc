#include "oa/io/quadratic/decimal_sum.h"

#include "oa_test.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

using namespace oa;

namespace {

double sum_of(std::initializer_list<std::pair<double, double>> products) {
  io::DecimalSum sum;
  for (const auto& [a, b] : products) {
    sum.add(a, b);
  }
  return sum.value();
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("decimals add up as they are written") {
  CHECK(sum_of({}) == 0.0);
  CHECK(sum_of({{0.8, 1}, {0.7, -1}}) == 0.1);
  CHECK(sum_of({{0.1, 3}}) == 0.3);
  CHECK(sum_of({{1e20, 1}, {0.5, 1}, {-1e20, 1}}) == 0.5);
  CHECK(sum_of({{2.5, -2.5}, {0.0, 7}}) == -6.25);
  CHECK(sum_of({{1e-300, 1}}) == 1e-300);
}

TEST_CASE("a sum that is too long for decimals is one of doubles") {
  CHECK(sum_of({{1e300, 1}, {1.0, 1}}) == 1e300);
  const double least = std::numeric_limits<double>::denorm_min();
  CHECK(sum_of({{least, 1}, {1.0, 1}}) == 1.0);
  Rng rng(1);
  for (int t = 0; t < 1000; ++t) {
    CAPTURE(t);
    const double a = std::ldexp(rng.uniform() - 0.5, test::below(rng, 200));
    const double b = std::ldexp(rng.uniform() - 0.5, test::below(rng, 200));
    const double exact = sum_of({{a, 1}, {b, 1}});
    CHECK(std::abs(exact - (a + b)) <= 1e-15 * (std::abs(a) + std::abs(b)));
  }
}

TEST_SUITE_END();
