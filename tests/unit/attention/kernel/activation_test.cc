#include "oa/attention/kernel/activation.h"

#include "unit/survey/kernel/scan_test.h"

#include <array>

using namespace oa;
using test::Inside;
using test::Table;

namespace {

// Numbers of all sizes: the first are extreme, the rest are drawn.
Table arguments(Rng& rng, int rows, int cols) {
  constexpr std::array kExtreme{1e4, -1e4, 88.0, -88.0, 0.0, 1e-30};
  Table x = test::drawn_table(rng, rows, cols, 4.0);
  for (std::size_t i = 0; i < std::min(x.data.size(), kExtreme.size()); ++i) {
    x.data[i] = static_cast<double>(static_cast<float>(kExtreme[i]));
  }
  return x;
}

template <class Function>
Table table_of(const Table& x, const Function& f) {
  Table y = x;
  for (double& value : y.data) {
    value = f(value);
  }
  return y;
}

double sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

using Kernel = void (*)(num::ConstView, num::View, num::View);

template <class Value, class Slope>
void check_gate(Kernel kernel, const Value& value, const Slope& slope) {
  test::for_simd_targets([&] {
    Rng rng(1);
    for (const auto& [n, cols] :
         {std::array{0, 3}, std::array{1, 1}, std::array{3, 16}, std::array{5, 37}}) {
      const Table x = arguments(rng, n, cols);
      Inside in(x);
      Inside y(n, cols);
      Inside dy(n, cols);
      kernel(in, y, dy);
      // Not by the largest: small values matter, too.
      const Table expected = table_of(x, value);
      const Table expected_slope = table_of(x, slope);
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < cols; ++j) {
          CHECK(static_cast<double>(y(i, j)) ==
                doctest::Approx(expected(i, j)).epsilon(1e-6).scale(1e-3));
          CHECK(static_cast<double>(dy(i, j)) ==
                doctest::Approx(expected_slope(i, j)).epsilon(1e-6).scale(1.0));
        }
      }
      kernel(in, in, {});
      CHECK(test::equal(in.view(), y.view()));
    }
    Inside bad(1, 20);
    bad(0, 7) = std::numeric_limits<float>::quiet_NaN();
    kernel(bad, bad, {});
    for (int j = 0; j < 20; ++j) {
      CHECK(std::isnan(bad(0, j)) == (j == 7));
    }
  });
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("silu is x sigmoid(x), with its slope") {
  check_gate(
      &attention::silu,
      [](double x) { return x * sigmoid(x); },
      [](double x) { return sigmoid(x) * (1.0 + x * sigmoid(-x)); });
}

TEST_CASE("a sigmoid, with its slope") {
  check_gate(
      &attention::sigmoid, &sigmoid, [](double x) { return sigmoid(x) * sigmoid(-x); });
}

TEST_CASE("softplus is log(1 + exp(x)), with its slope") {
  check_gate(&attention::softplus, &softplus, &sigmoid);
}

TEST_CASE("a scaled logarithm of a sigmoid, with its slope") {
  check_gate(
      [](num::ConstView x, num::View y, num::View slope) {
        attention::log_sigmoid(x, 0.25F, y, slope);
      },
      [](double x) { return -0.25 * softplus(-x); },
      [](double x) { return 0.25 * sigmoid(-x); });
}

TEST_CASE("minus an exponential") {
  test::for_simd_targets([] {
    Rng rng(2);
    const Table x = test::drawn_table(rng, 3, 21, 2.0);
    Inside in(x);
    attention::minus_exp(in, in);
    test::check_near(in, table_of(x, [](double v) { return -std::exp(v); }), 1e-6);
  });
}

TEST_SUITE_END();
