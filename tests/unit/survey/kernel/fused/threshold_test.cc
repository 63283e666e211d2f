#include "survey/kernel/fused/threshold.h"

#include "ref/fused_cases.h"
#include "ref/larger.h"

#include <doctest/doctest.h>

using namespace oa;
using attention::HeadsShape;
using attention::HeadsView;
using attention::Pattern;
using attention::ThresholdCount;
using attention::ThresholdScratch;
using test::HeadsMemory;

namespace {

ThresholdCount run(const HeadsView& heads,
                   const Pattern& pattern,
                   float tau,
                   num::View o,
                   int threads = 1) {
  const HeadsShape shape = HeadsShape::of(heads);
  const auto plan = attention::plan_fused(shape);
  Arena arena(
      bytes_taken([&](Arena& a) { return ThresholdScratch(shape, plan, threads, a); }));
  const ThresholdScratch scratch(shape, plan, threads, arena);
  return attention::threshold_forward(heads, pattern, tau, o, {}, scratch);
}

double error(const HeadsView& heads, const Pattern& pattern, double tau, num::View o) {
  double worst = 0.0;
  const int d = heads.width();
  for (int h = 0; h < heads.heads; ++h) {
    const auto plain = test::plain_attention(heads, pattern, h, tau);
    for (int i = 0; i < o.rows; ++i) {
      for (int x = 0; x < d; ++x) {
        const double value =
            plain.o[static_cast<std::size_t>(i)][static_cast<std::size_t>(x)];
        worst =
            test::larger(worst, std::abs(value - static_cast<double>(o(i, h * d + x))));
      }
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("tiles below the threshold are skipped and counted") {
  Rng rng(2);
  const int n = 500;
  HeadsMemory q(rng, n, 8);
  HeadsMemory k(rng, n, 8);
  HeadsMemory v(rng, n, 8);
  HeadsMemory o(n, 8);
  // The first 100 keys are far better than all other keys.
  for (int i = 0; i < n; ++i) {
    q.view()(i, 0) = 10.0F;
    k.view()(i, 0) = i < 100 ? 5.0F : 0.0F;
  }
  const HeadsView heads{q.view(), k.view(), v.view(), 1, 1, 1.0F};
  const Pattern pattern = Pattern::all(n, n);
  const ThresholdCount none = run(heads, pattern, 1e9F, o.view());
  CHECK(none.skipped == 0);
  const ThresholdCount one = run(heads, pattern, 8.0F, o.view(), 1);
  CHECK(error(heads, pattern, 8.0, o.view()) < 2e-5);
  CHECK(one.tiles == none.tiles);
  CHECK(one.skipped > one.tiles / 2);
  const ThresholdCount two = run(heads, pattern, 8.0F, o.view(), 2);
  CHECK(two.skipped == one.skipped);
}
