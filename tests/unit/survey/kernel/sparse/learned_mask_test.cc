#include "survey/kernel/sparse/learned_mask.h"

#include "ref/plain_attention.h"
#include "survey/kernel/sparse/csr.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace oa;
using attention::MaskShape;
using attention::OpenedMask;
using attention::Pattern;
using test::DrawnHeads;

namespace {

// Returns the gradient of theta.
std::vector<float> run_masked(DrawnHeads& x, const OpenedMask& mask, int threads) {
  const int n = x.q.view().rows;
  const Pattern pattern = mask_pattern(mask.shape, mask.gates, n, mask.causal);
  const auto make = [&](Arena& arena) {
    const auto csr = attention::csr_scratch(pattern, threads, arena);
    return std::pair(csr,
                     attention::mask_scratch(x.view(), mask.shape, threads, arena));
  };
  Arena arena(bytes_taken(make));
  const auto [csr, scratch] = make(arena);
  attention::csr_forward(
      x.view(), pattern, x.o.view(), x.log_sums.view(), csr, threads);
  std::vector<float> d_theta(mask.gates.size());
  attention::mask_backward(x.view(),
                           mask,
                           {x.o.view(), x.log_sums.view()},
                           x.d_o.view(),
                           x.gradient(),
                           d_theta,
                           scratch,
                           threads);
  return d_theta;
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("the gradient of a mask is that of its gates, divided by the temperature") {
  Rng rng(41);
  const MaskShape shape{3, 4, false};
  std::vector<float> theta(static_cast<std::size_t>(shape.parameters()));
  for (float& t : theta) {
    t = static_cast<float>(rng.normal());
  }
  std::vector<float> gates(theta.size());
  attention::open_gates(theta, 1.0F, {}, gates);
  DrawnHeads x(10, 10, 3, 2, 1, rng);
  const std::vector<float> one = run_masked(x, {shape, gates, 1.0F, true}, 1);
  const std::vector<float> cold = run_masked(x, {shape, gates, 0.25F, true}, 1);
  CHECK(*std::ranges::max_element(one) > 1e-3F);
  for (std::size_t p = 0; p < one.size(); ++p) {
    CHECK(cold[p] == doctest::Approx(4.0F * one[p]));
  }
}

TEST_CASE("gates are a function of theta, temperature and the stream") {
  const std::vector<float> theta = {-2.0F, 0.0F, 0.5F, 3.0F};
  std::vector<float> gates(4);
  attention::open_gates(theta, 0.5F, {}, gates);
  for (std::size_t p = 0; p < 4; ++p) {
    CHECK(
        static_cast<double>(gates[p]) ==
        doctest::Approx(1.0 / (1.0 + std::exp(-2.0 * static_cast<double>(theta[p])))));
  }
  // With noise a block is open with the probability sigmoid(theta), at any temperature.
  const std::vector<float> same(20000, 0.8F);
  std::vector<float> first(same.size());
  std::vector<float> second(same.size());
  attention::open_gates(same, 1.0F, Rng(5), first);
  attention::open_gates(same, 0.3F, Rng(5), second);
  const auto open = [](float g) { return g > 0.5F; };
  const auto count = std::ranges::count_if(first, open);
  CHECK(count == std::ranges::count_if(second, open));
  // 13,800 expected, with a standard deviation of 65.
  CHECK(std::abs(static_cast<double>(count) - 20000.0 * 0.68997) < 300.0);
  attention::open_gates(same, 1.0F, Rng(5), second);
  CHECK(first == second);
}

TEST_CASE("inference sees the blocks of positive logits and the diagonal") {
  const MaskShape shape{4, 3, false};
  const std::vector<float> theta = {-1, 2, -1, -1, -1, 1, 1, -1, -1};
  std::vector<float> gates(theta.size());
  attention::open_gates(theta, 0.3F, {}, gates);
  const Pattern p = mask_pattern(shape, gates, 10, false);
  CHECK(p.pairs() == 4 * 8 + 4 * 6 + 2 * 6);
  CHECK(p.allows(0, 7));
  CHECK_FALSE(p.allows(0, 8));
  CHECK(mask_pattern(shape, gates, 10, true).pairs() == 10 + 10 + 2 * 4 + 3);
  const MaskShape relative{4, 5, true};
  const std::vector<float> band = {-1, -1, -1, 1, -1, -1, -1, -1, 1};
  std::vector<float> open(band.size());
  attention::open_gates(band, 1.0F, {}, open);
  for (const int n : {1, 9, 20}) {
    const Pattern one_before = mask_pattern(relative, open, n, false);
    CHECK(one_before.allows(n - 1, std::max(0, n - 5)));
    CHECK(one_before.allows(0, n - 1) == (n == 1 || n == 20));
  }
  CHECK(mask_pattern(shape, gates, 0, true).pairs() == 0);
}

TEST_CASE("the penalty is the mean of open gates, with its gradient") {
  std::vector<float> theta = {-1.0F, 0.0F, 2.0F};
  std::vector<float> slope(3);
  CHECK(attention::mask_penalty(theta, 0.3F, slope) ==
        doctest::Approx(0.1 * (0.2689414 + 0.5 + 0.8807971)));
  for (std::size_t p = 0; p < 3; ++p) {
    std::vector<float> ignored(3);
    std::vector<float> above = theta;
    above[p] += 0.125F;
    const double up = attention::mask_penalty(above, 0.3F, ignored);
    above[p] -= 0.25F;
    const double down = attention::mask_penalty(above, 0.3F, ignored);
    CHECK(static_cast<double>(slope[p]) ==
          doctest::Approx((up - down) / 0.25).epsilon(0.01));
  }
}

TEST_SUITE_END();
