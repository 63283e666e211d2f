#include "ref/fused_cases.h"
#include "ref/larger.h"
#include "ref/targets.h"
#include "unit/matrices.h"

#include <doctest/doctest.h>

#include <utility>

using namespace oa;
using attention::FusedScratch;
using attention::GradientScratch;
using attention::HeadsShape;
using attention::HeadsView;
using attention::Pattern;
using test::HeadsMemory;

namespace {

struct Gradients {
  HeadsMemory q;
  HeadsMemory k;
  HeadsMemory v;
  HeadsMemory d_o;
  HeadsMemory dq;
  HeadsMemory dk;
  HeadsMemory dv;
  HeadsView heads;

  Gradients(Rng& rng, int n, int m, int h, int g, int d)
      : q(rng, n, h * d),
        k(rng, m, g * d),
        v(rng, m, g * d),
        d_o(rng, n, h * d),
        dq(n, h * d),
        dk(m, g * d),
        dv(m, g * d) {
    const float scale = 1.0F / std::sqrt(static_cast<float>(d));
    heads = {q.view(), k.view(), v.view(), h, g, scale};
  }

  void run(const Pattern& pattern, int threads = 1) {
    const HeadsShape shape = HeadsShape::of(heads);
    const auto plan = attention::plan_fused(shape);
    HeadsMemory o(shape.queries, shape.heads * shape.width);
    num::Matrix log_sums(shape.heads, shape.queries);
    Arena forward(
        bytes_taken([&](Arena& a) { return FusedScratch(shape, plan, 1, a); }));
    const FusedScratch scratch(shape, plan, 1, forward);
    attention::fused_forward(heads, pattern, o.view(), log_sums, scratch);
    Arena arena(
        bytes_taken([&](Arena& a) { return GradientScratch(shape, threads, a); }));
    const GradientScratch gradients(shape, threads, arena);
    attention::fused_backward(heads,
                              pattern,
                              o.view(),
                              log_sums,
                              d_o.view(),
                              dq.view(),
                              dk.view(),
                              dv.view(),
                              gradients);
  }

  // The largest difference from the gradients in doubles.
  [[nodiscard]] double error(const Pattern& pattern) {
    double worst = 0.0;
    const int d = heads.width();
    const auto compare = [&](num::View m, int i, int j, double value) {
      const double difference = std::abs(static_cast<double>(m(i, j)) - value);
      worst = test::larger(worst, difference);
    };
    const int in_group = heads.heads / heads.groups;
    for (int g = 0; g < heads.groups; ++g) {
      std::vector<double> sums(static_cast<std::size_t>(2 * pattern.keys() * d), 0.0);
      for (int h = g * in_group; h < (g + 1) * in_group; ++h) {
        const auto plain = test::plain_gradients(heads, pattern, d_o.view(), h);
        for (int x = 0; x < d; ++x) {
          const auto c = static_cast<std::size_t>(x);
          for (int i = 0; i < pattern.queries(); ++i) {
            compare(dq.view(), i, h * d + x, plain.dq[static_cast<std::size_t>(i)][c]);
          }
          for (int j = 0; j < pattern.keys(); ++j) {
            const auto row = static_cast<std::size_t>(j);
            sums[static_cast<std::size_t>(2 * (j * d + x))] += plain.dk[row][c];
            sums[static_cast<std::size_t>(2 * (j * d + x) + 1)] += plain.dv[row][c];
          }
        }
      }
      for (int j = 0; j < pattern.keys(); ++j) {
        for (int x = 0; x < d; ++x) {
          const auto at = static_cast<std::size_t>(2 * (j * d + x));
          compare(dk.view(), j, g * d + x, sums[at]);
          compare(dv.view(), j, g * d + x, sums[at + 1]);
        }
      }
    }
    return worst;
  }
};

}  // namespace

TEST_CASE("gradients of fused attention agree with plain ones") {
  ref::on_each_target([&] {
    Rng rng(2);
    for (const int d : {1, 20, 72}) {
      for (const int n : {1, 6, 49, 64, 300}) {
        const int m = n == 49 ? 70 : n;
        Gradients s(rng, n, m, 4, d == 20 ? 2 : 1, d);
        for (const Pattern& pattern : {Pattern::all(n, m),
                                       Pattern::band(n, m, n, 0),
                                       Pattern::band(n, m, 5, 9),
                                       test::random_runs(rng, n, m)}) {
          CAPTURE(d);
          CAPTURE(n);
          s.run(pattern);
          CHECK(s.error(pattern) < 2e-5);
          CHECK(s.dq.others_untouched());
          CHECK(s.dk.others_untouched());
          CHECK(s.dv.others_untouched());
        }
      }
    }
  });
}

TEST_CASE("gradients of fused attention are the same for any number of threads") {
  Rng rng(3);
  for (const int groups : {1, 2}) {
    Gradients s(rng, 700, 700, 2, groups, 24);
    const Pattern pattern = Pattern::causal(700);
    s.run(pattern, 1);
    CHECK(s.error(pattern) < 2e-5);
    Gradients one = s;
    for (const int threads : {2, 3}) {
      s.run(pattern, threads);
      CHECK(test::same_bits(s.dq.view(), one.dq.view()));
      CHECK(test::same_bits(s.dk.view(), one.dk.view()));
      CHECK(test::same_bits(s.dv.view(), one.dv.view()));
    }
  }
}

TEST_CASE("NaN and infinity reach only the gradients of queries that see them") {
  ref::on_each_target([&] {
    Rng rng(5);
    Gradients s(rng, 100, 100, 1, 1, 20);
    const Pattern pattern = Pattern::causal(100);
    s.run(pattern);
    Gradients good = s;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto check_queries = [&] {  // those from 77 on see the key 77
      for (int i = 0; i < 77; ++i) {
        for (int j = 0; j < 20; ++j) {
          CHECK(s.dq.view()(i, j) ==
                doctest::Approx(good.dq.view()(i, j)).epsilon(1e-4).scale(1e-3));
        }
      }
      CHECK(std::isnan(s.dq.view()(77, 0)));
    };
    const float key = std::exchange(s.k.view()(77, 3), nan);
    s.run(pattern);
    check_queries();
    CHECK(std::isnan(s.dk.view()(3, 0)));
    CHECK(std::isnan(s.dv.view()(77, 0)));
    s.k.view()(77, 3) = key;
    s.v.view()(77, 3) = nan;
    s.run(pattern);
    check_queries();
  });
}
