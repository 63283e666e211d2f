#include "oa/attention/kernel/fused/tilted.h"

#include "oa/attention/kernel/pattern/patterns.h"
#include "unit/attention/kernel/scan_test.h"

#include <algorithm>
#include <vector>

using namespace oa;
using attention::HeadsView;
using attention::Pattern;
using test::Table;

namespace {

struct TiltedCase {
  Table q, r, k, v, weight;
};

TiltedCase drawn_tilted(Rng& rng, int n, int width, double strength) {
  return {test::drawn_table(rng, n, width, strength),
          test::drawn_table(rng, n, width),
          test::drawn_table(rng, n, width),
          test::drawn_table(rng, n, width),
          test::drawn_table(rng, n, width)};
}

Table plain_tilted(const TiltedCase& c, int heads, double scale, const Pattern& seen) {
  const int d = c.q.cols / heads;
  const int n = c.q.rows;
  Table o(n, c.q.cols);
  for (int first = 0; first < c.q.cols; first += d) {
    for (int i = 0; i < n; ++i) {
      std::vector<double> p(static_cast<std::size_t>(n));
      std::vector<double> tilt(p.size());
      double top = -1e300;
      for (int j = 0; j < n; ++j) {
        for (int e = first; e < first + d; ++e) {
          p[static_cast<std::size_t>(j)] += scale * c.q(i, e) * c.k(j, e);
          tilt[static_cast<std::size_t>(j)] += scale * c.r(i, e) * c.k(j, e);
        }
        top = seen.allows(i, j) ? std::max(top, p[static_cast<std::size_t>(j)]) : top;
      }
      double sum = 0.0;
      double shift = 0.0;
      for (int j = 0; j < n; ++j) {
        double& weight = p[static_cast<std::size_t>(j)];
        weight = seen.allows(i, j) ? std::exp(weight - top) : 0.0;
        sum += weight;
        shift += weight * tilt[static_cast<std::size_t>(j)];
      }
      for (int j = 0; j < n && sum > 0.0; ++j) {
        const double left = 1.0 + shift / sum - tilt[static_cast<std::size_t>(j)];
        for (int e = first; e < first + d; ++e) {
          o(i, e) += p[static_cast<std::size_t>(j)] / sum * left * c.v(j, e);
        }
      }
    }
  }
  return o;
}

num::Matrix matrix_of(const Table& t) {
  num::Matrix m(t.rows, t.cols);
  for (int i = 0; i < t.rows; ++i) {
    for (int j = 0; j < t.cols; ++j) {
      m(i, j) = static_cast<float>(t(i, j));
    }
  }
  return m;
}

struct TiltedFast {
  TiltedFast(const TiltedCase& c, int count, const Pattern& pattern, int workers)
      : q(matrix_of(c.q)),
        r(matrix_of(c.r)),
        k(matrix_of(c.k)),
        v(matrix_of(c.v)),
        weight(matrix_of(c.weight)),
        o(c.q.rows, c.q.cols),
        mean(c.q.rows, c.q.cols),
        dq(c.q.rows, c.q.cols),
        dr(c.q.rows, c.q.cols),
        dk(c.q.rows, c.q.cols),
        dv(c.q.rows, c.q.cols),
        shift(count, c.q.rows),
        log_sums(count, c.q.rows),
        seen(pattern),
        heads(count),
        threads(workers) {}

  [[nodiscard]] HeadsView view() const {
    return {
        q, k, v, heads, heads, 1.0F / std::sqrt(static_cast<float>(q.cols() / heads))};
  }
  void run() {
    Arena arena(16U << 20U);
    const auto shape = attention::HeadsShape::of(view());
    const attention::FusedScratch scratch(shape,
                                          attention::plan_fused(shape),
                                          threads,
                                          arena,
                                          attention::Precision::Float,
                                          true);
    const attention::GradientScratch gradient(shape, threads, arena, true);
    const attention::Tilt tilt{r, mean, shift};
    attention::tilted_forward(view(), tilt, seen, o, log_sums, scratch);
    attention::tilted_backward(
        view(), tilt, seen, o, log_sums, weight, {dq, dk, dv}, dr, gradient);
  }

  num::Matrix q, r, k, v, weight, o, mean, dq, dr, dk, dv, shift, log_sums;
  Pattern seen;
  int heads;
  int threads;
};

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("tilted attention is its definition, over several blocks of keys") {
  test::for_simd_targets([] {
    Rng rng(1);
    // Strong logits raise the reference of a row again and again.
    for (const double strength : {1.0, 30.0}) {
      for (const bool causal : {false, true}) {
        constexpr int kTokens = 330;
        const TiltedCase c = drawn_tilted(rng, kTokens, 40, strength);
        const Pattern seen =
            causal ? Pattern::causal(kTokens) : Pattern::all(kTokens, kTokens);
        TiltedFast fast(c, 2, seen, 1);
        fast.run();
        test::check_near(fast.o, plain_tilted(c, 2, 1.0 / std::sqrt(20.0), seen), 2e-5);
      }
    }
  });
}

TEST_CASE("gradients of tilted attention are its differences") {
  test::for_simd_targets([] {
    Rng rng(2);
    constexpr int kTokens = 41;
    TiltedCase c = drawn_tilted(rng, kTokens, 6, 1.0);
    const Pattern seen = attention::window_pattern(kTokens, 9, true);
    TiltedFast fast(c, 2, seen, 1);
    fast.run();
    const auto loss = [&] {
      return test::dot(plain_tilted(c, 2, 1.0 / std::sqrt(3.0), seen), c.weight);
    };
    test::check_near(fast.dq, test::differences(c.q, loss), 1e-5);
    test::check_near(fast.dr, test::differences(c.r, loss), 1e-5);
    test::check_near(fast.dk, test::differences(c.k, loss), 1e-5);
    test::check_near(fast.dv, test::differences(c.v, loss), 1e-5);
  });
}

TEST_CASE(
    "tilted attention of one head and many keys has the same bits for all threads") {
  Rng rng(3);
  constexpr int kTokens = 700;
  const TiltedCase c = drawn_tilted(rng, kTokens, 16, 2.0);
  const Pattern seen = Pattern::causal(kTokens);
  TiltedFast one(c, 1, seen, 1);
  one.run();
  TiltedFast two(c, 1, seen, 2);
  two.run();
  CHECK(test::equal(two.o, one.o));
  CHECK(test::equal(two.dq, one.dq));
  CHECK(test::equal(two.dr, one.dr));
  CHECK(test::equal(two.dk, one.dk));
  CHECK(test::equal(two.dv, one.dv));
  // Along a random direction of r.
  const double scale = 0.25;
  const auto loss = [&](double step, const Table& way) {
    TiltedCase moved = c;
    for (std::size_t i = 0; i < way.data.size(); ++i) {
      moved.r.data[i] += step * way.data[i];
    }
    return test::dot(plain_tilted(moved, 1, scale, seen), c.weight);
  };
  const Table way = test::drawn_table(rng, kTokens, 16);
  double along = 0.0;
  for (int i = 0; i < kTokens; ++i) {
    for (int j = 0; j < 16; ++j) {
      along += way(i, j) * static_cast<double>(one.dr(i, j));
    }
  }
  const double expected = (loss(1e-4, way) - loss(-1e-4, way)) / 2e-4;
  CHECK(along == doctest::Approx(expected).epsilon(1e-3));
}

TEST_SUITE_END();
