#include "survey/kernel/rms_norm.h"

#include "unit/survey/kernel/scan_test.h"

#include <array>

using namespace oa;
using test::Inside;
using test::Table;

namespace {

Table plain_rms_norm(const Table& x, int heads, const Table& gain) {
  Table y(x.rows, x.cols);
  const int width = x.cols / heads;
  for (int i = 0; i < x.rows; ++i) {
    for (int h = 0; h < heads; ++h) {
      double square = 0.0;
      for (int j = h * width; j < (h + 1) * width; ++j) {
        square += x(i, j) * x(i, j) / width;
      }
      for (int j = h * width; j < (h + 1) * width; ++j) {
        y(i, j) = gain(0, j) * x(i, j) / std::sqrt(square + 1e-5);
      }
    }
  }
  return y;
}

std::vector<float> float_copy(const Table& t) {
  return {t.data.begin(), t.data.end()};
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("heads are divided by their root mean square, and gradients follow") {
  test::for_simd_targets([] {
    Rng rng(1);
    for (const auto& [n, heads, width] : {std::array{0, 1, 3},
                                          std::array{1, 1, 1},
                                          std::array{3, 2, 16},
                                          std::array{4, 3, 21}}) {
      const int cols = heads * width;
      Table x = test::drawn_table(rng, n, cols, 0.1);
      Table gain = test::drawn_table(rng, 1, cols);
      const Table weight = test::drawn_table(rng, n, cols);
      Inside in(x);
      Inside rstd(n, heads);
      Inside y(n, cols);
      attention::rms_norm(in, heads, float_copy(gain), rstd, y);
      test::check_near(y, plain_rms_norm(x, heads, gain), 1e-6);

      Inside slope(weight);
      std::vector<float> d_gain(static_cast<std::size_t>(cols), 1.0F);
      attention::rms_norm_backward(
          in, heads, float_copy(gain), rstd, slope, slope, d_gain);
      const auto loss = [&] {
        return test::dot(plain_rms_norm(x, heads, gain), weight);
      };
      test::check_near(slope, test::differences(x, loss), 1e-5);
      const Table expected = test::differences(gain, loss);
      for (int j = 0; j < cols; ++j) {
        CHECK(static_cast<double>(d_gain[static_cast<std::size_t>(j)]) ==
              doctest::Approx(1.0 + expected(0, j)).epsilon(1e-5).scale(1.0));
      }
    }
  });
}

TEST_CASE("a row of zeros stays one, and a NaN stays in its head") {
  Inside x(2, 12);
  x(1, 2) = std::numeric_limits<float>::quiet_NaN();
  x(1, 8) = 1e4F;
  Inside rstd(2, 2);
  Inside y(2, 12);
  attention::rms_norm(x, 2, std::vector<float>(12, 1.0F), rstd, y);
  for (int j = 0; j < 12; ++j) {
    CHECK(y(0, j) == 0.0F);
    CHECK(std::isnan(y(1, j)) == (j < 6));
  }
}

TEST_SUITE_END();
