#include "survey/kernel/scan/diagonal_scan.h"

#include "unit/survey/kernel/scan_test.h"

#include <array>
#include <complex>

using namespace oa;
using attention::DiagonalShape;
using test::Inside;
using test::Table;

namespace {

struct DiagonalCase {
  DiagonalCase(Rng& rng, const DiagonalShape& s, int n)
      : p(test::drawn_table(rng, n, s.channels)),
        log_decay(test::drawn_table(rng, s.pairs, s.channels)),
        frequency(test::drawn_table(rng, s.pairs, s.channels, 3.0)),
        step(test::drawn_table(rng, 1, s.channels)),
        out_re(test::drawn_table(rng, s.pairs, s.channels)),
        out_im(test::drawn_table(rng, s.pairs, s.channels)),
        skip(test::drawn_table(rng, 1, s.channels)),
        weight(test::drawn_table(rng, n, s.channels)) {
    for (double& x : step.data) {
      x = 0.05 + 0.1 * std::abs(x);
    }
  }

  [[nodiscard]] Table plain() const {
    Table y(p.rows, p.cols);
    for (int e = 0; e < p.cols; ++e) {
      for (int t = 0; t < p.rows; ++t) {
        y(t, e) = skip(0, e) * p(t, e);
      }
      for (int j = 0; j < out_re.rows; ++j) {
        const std::complex<double> pole =
            std::exp(step(0, e) *
                     std::complex<double>(-std::exp(log_decay(j, e)), frequency(j, e)));
        const std::complex<double> out(out_re(j, e), out_im(j, e));
        std::complex<double> s;
        for (int t = 0; t < p.rows; ++t) {
          s = pole * s + p(t, e);
          y(t, e) += 2.0 * (out * s).real();
        }
      }
    }
    return y;
  }

  Table p, log_decay, frequency, step, out_re, out_im, skip, weight;
};

struct DiagonalFast {
  DiagonalFast(const DiagonalCase& from, const DiagonalShape& s)
      : shape(s),
        p(from.p),
        log_decay(from.log_decay),
        frequency(from.frequency),
        pole_re(s.pairs, s.channels),
        pole_im(s.pairs, s.channels),
        out_re(from.out_re),
        out_im(from.out_im),
        y(from.p.rows, s.channels),
        weight(from.weight),
        step(from.step.data.begin(), from.step.data.end()),
        skip(from.skip.data.begin(), from.skip.data.end()),
        checkpoints(static_cast<std::size_t>(
            attention::diagonal_checkpoint_size(s, from.p.rows))) {
    attention::diagonal_poles(log_decay, frequency, step, pole_re, pole_im);
  }
  [[nodiscard]] attention::DiagonalInput in() {
    return {p, pole_re, pole_im, out_re, out_im, skip};
  }
  void run() {
    num::Buffer state(static_cast<std::size_t>(attention::diagonal_state_size(shape)));
    attention::diagonal_scan(shape, in(), y, state.span(), checkpoints, arena);
  }

  DiagonalShape shape;
  Inside p, log_decay, frequency, pole_re, pole_im, out_re, out_im, y, weight;
  std::vector<float> step, skip, checkpoints;
  Arena arena{8U << 20U};
};

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("a diagonal scan is its recurrence, also token by token and by threads") {
  test::for_simd_targets([] {
    Rng rng(1);
    for (const auto& [n, channels, pairs] : {std::array{0, 3, 2},
                                             std::array{1, 16, 8},
                                             std::array{65, 1, 1},
                                             std::array{130, 37, 7}}) {
      const DiagonalShape s{channels, pairs, 1};
      const DiagonalCase c(rng, s, n);
      DiagonalFast fast(c, s);
      fast.run();
      test::check_near(fast.y, c.plain(), 2e-6);

      DiagonalFast shared(c, {channels, pairs, 3});
      shared.run();
      CHECK(test::equal(shared.y.view(), fast.y.view()));

      DiagonalFast steps(c, s);
      num::Buffer state(static_cast<std::size_t>(attention::diagonal_state_size(s)));
      for (int t = 0; t < n; ++t) {
        attention::DiagonalInput in = steps.in();
        in.p = {in.p.row(t), 1, channels, in.p.stride};
        const num::View to{steps.y.view().row(t), 1, channels, steps.y.view().stride};
        attention::diagonal_scan(s, in, to, state.span(), {}, steps.arena);
      }
      CHECK(test::equal(steps.y.view(), fast.y.view()));
    }
  });
}

TEST_CASE("gradients of a diagonal scan are its differences") {
  test::for_simd_targets([] {
    Rng rng(2);
    const DiagonalShape s{3, 2, 1};
    constexpr int kTokens = 70;
    DiagonalCase c(rng, s, kTokens);
    DiagonalFast fast(c, s);
    fast.run();
    Inside dp(kTokens, 3);
    Inside d_pole_re(2, 3);
    Inside d_pole_im(2, 3);
    Inside d_out_re(2, 3);
    Inside d_out_im(2, 3);
    Inside d_log_decay(2, 3);
    Inside d_frequency(2, 3);
    std::vector<float> d_skip(3);
    attention::diagonal_scan_backward(
        s,
        fast.in(),
        fast.checkpoints,
        fast.weight,
        {dp, d_pole_re, d_pole_im, d_out_re, d_out_im, d_skip},
        fast.arena);
    attention::diagonal_poles_backward(fast.log_decay,
                                       fast.frequency,
                                       fast.step,
                                       d_pole_re,
                                       d_pole_im,
                                       d_log_decay,
                                       d_frequency);
    const auto loss = [&] { return test::dot(c.plain(), c.weight); };
    test::check_near(dp, test::differences(c.p, loss), 3e-6);
    test::check_near(d_out_re, test::differences(c.out_re, loss), 3e-6);
    test::check_near(d_out_im, test::differences(c.out_im, loss), 3e-6);
    test::check_near(d_log_decay, test::differences(c.log_decay, loss), 3e-6);
    test::check_near(d_frequency, test::differences(c.frequency, loss), 3e-6);
    const Table slope = test::differences(c.skip, loss);
    for (int e = 0; e < 3; ++e) {
      CHECK(static_cast<double>(d_skip[static_cast<std::size_t>(e)]) ==
            doctest::Approx(slope(0, e)).epsilon(1e-5).scale(1.0));
    }
  });
}

TEST_CASE("a diagonal scan takes the memory that it declares") {
  Rng rng(5);
  for (const int threads : {1, 2, 4}) {
    const DiagonalShape s{40, 3, threads};
    constexpr int kTokens = 70;
    const DiagonalCase c(rng, s, kTokens);
    DiagonalFast fast(c, s);
    fast.run();
    CHECK(fast.arena.high_water() == attention::diagonal_scan_bytes(s));
    Inside dp(kTokens, 40);
    Inside d_pole_re(3, 40);
    Inside d_pole_im(3, 40);
    Inside d_out_re(3, 40);
    Inside d_out_im(3, 40);
    Arena arena(attention::diagonal_scan_backward_bytes(s));
    attention::diagonal_scan_backward(
        s,
        fast.in(),
        fast.checkpoints,
        fast.weight,
        {dp, d_pole_re, d_pole_im, d_out_re, d_out_im, {}},
        arena);
    CHECK(arena.high_water() == attention::diagonal_scan_backward_bytes(s));
  }
}

TEST_SUITE_END();
