#include "survey/kernel/scan/convolution.h"

#include "unit/survey/kernel/scan_test.h"

#include <array>

using namespace oa;
using test::Inside;
using test::Table;

namespace {

Table plain_convolution(const Table& x, const Table& filter, const Table& bias) {
  Table y(x.rows, x.cols);
  for (int t = 0; t < x.rows; ++t) {
    for (int c = 0; c < x.cols; ++c) {
      y(t, c) = bias(0, c);
      for (int l = 0; l < filter.rows && l <= t; ++l) {
        y(t, c) += filter(l, c) * x(t - l, c);
      }
    }
  }
  return y;
}

std::vector<float> floats_of(const Table& t) {
  return {t.data.begin(), t.data.end()};
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("a convolution and its gradients are the plain ones, also token by token") {
  test::for_simd_targets([] {
    Rng rng(1);
    for (const auto& [n, channels, taps] : {std::array{0, 3, 4},
                                            std::array{1, 16, 4},
                                            std::array{9, 5, 1},
                                            std::array{20, 37, 4}}) {
      Table x = test::drawn_table(rng, n, channels);
      Table filter = test::drawn_table(rng, taps, channels);
      Table bias = test::drawn_table(rng, 1, channels);
      const Table weight = test::drawn_table(rng, n, channels);
      const Table expected = plain_convolution(x, filter, bias);
      Inside in(x);
      Inside by(filter);
      Inside y(n, channels);
      Inside state(taps - 1, channels);
      attention::convolve(in, by, floats_of(bias), state, y);
      test::check_near(y, expected, 1e-6);

      Inside steps(n, channels);
      Inside rest(taps - 1, channels);
      for (int t = 0; t < n; ++t) {
        const num::View row{in.view().row(t), 1, channels, in.view().stride};
        const num::View to{steps.view().row(t), 1, channels, steps.view().stride};
        attention::convolve(row, by, floats_of(bias), rest, to);
      }
      CHECK(test::equal(steps.view(), y.view()));

      Inside dy(weight);
      Inside dx(n, channels);
      Inside d_filter(taps, channels);
      std::vector<float> d_bias(static_cast<std::size_t>(channels));
      attention::convolve_backward(in, by, dy, dx, d_filter, d_bias);
      const auto loss = [&] {
        return test::dot(plain_convolution(x, filter, bias), weight);
      };
      test::check_near(dx, test::differences(x, loss), 1e-6);
      test::check_near(d_filter, test::differences(filter, loss), 1e-6);
      const Table slope = test::differences(bias, loss);
      for (int c = 0; c < channels; ++c) {
        CHECK(static_cast<double>(d_bias[static_cast<std::size_t>(c)]) ==
              doctest::Approx(slope(0, c)).epsilon(1e-5).scale(1.0));
      }
    }
  });
}

TEST_SUITE_END();
