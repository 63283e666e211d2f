#include "survey/kernel/sparse/learned_mask.h"

#include "oa/num/simd.h"
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
using test::Plain;
using test::PlainHeads;

namespace {

std::vector<float> drawn_theta(const MaskShape& shape, Rng& rng) {
  std::vector<float> theta(static_cast<std::size_t>(shape.parameters()));
  for (float& t : theta) {
    t = static_cast<float>(rng.normal());
  }
  return theta;
}

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

// The mask as numbers, one for each parameter, which may lie between 0 and 1.
struct SoftMask {
  explicit SoftMask(const OpenedMask& opened)
      : mask(opened),
        values(1, static_cast<int>(opened.gates.size())) {
    for (int p = 0; p < values.cols; ++p) {
      values(0, p) = mask.gates[static_cast<std::size_t>(p)] > 0.5F ? 1.0 : 0.0;
    }
  }

  [[nodiscard]] double operator()(int i, int j) const {
    if (mask.causal && j > i) {
      return 0.0;
    }
    const int query_block = i / mask.shape.block;
    const int key_block = j / mask.shape.block;
    return query_block == key_block
               ? 1.0
               : values(0, mask.shape.parameter(query_block, key_block));
  }

  OpenedMask mask;
  Plain values;
};

void check_gradients(DrawnHeads& x, const OpenedMask& mask) {
  const std::vector<float> d_theta = run_masked(x, mask, 1);
  CHECK(x.intact());
  PlainHeads slow(x.view());
  SoftMask soft(mask);
  const test::Keep keep = [&](int, int i, int j) { return soft(i, j); };
  CHECK(distance(x.o.view(), slow.attend(keep)) < 2e-6);
  const Plain d_o = test::plain(x.d_o.view());
  const auto loss = [&] { return inner(slow.attend(keep), d_o); };
  CHECK(distance(x.dq.view(), differences(slow.q, loss)) < 5e-5);
  CHECK(distance(x.dk.view(), differences(slow.k, loss)) < 5e-5);
  CHECK(distance(x.dv.view(), differences(slow.v, loss)) < 5e-5);
  const Plain d_mask = differences(soft.values, loss);
  double apart = 0.0;
  for (int p = 0; p < d_mask.cols; ++p) {
    const auto g = static_cast<double>(mask.gates[static_cast<std::size_t>(p)]);
    const double slope =
        d_mask(0, p) * g * (1.0 - g) / static_cast<double>(mask.temperature);
    apart = std::max(
        apart,
        std::abs(slope - static_cast<double>(d_theta[static_cast<std::size_t>(p)])));
  }
  CHECK(apart < 2e-5);
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("the gradients of a learned mask are those of its weights as numbers") {
  for (const auto target : num::simd_targets()) {
    num::use_simd_target(target);
    CAPTURE(target);
    Rng rng(41);
    for (const bool relative : {false, true}) {
      for (const bool causal : {false, true}) {
        for (const int block : {1, 3, 16}) {
          CAPTURE(block);
          const int n = block == 16 ? 37 : 10;
          // Room for one block more than the sequence has.
          const MaskShape shape{block, (n + block - 1) / block + 1, relative};
          const std::vector<float> theta = drawn_theta(shape, rng);
          std::vector<float> gates(theta.size());
          attention::open_gates(theta, 0.7F, rng.fork(1), gates);
          DrawnHeads x(n, n, 3, 2, block == 3 ? 2 : 1, rng);
          check_gradients(x, {shape, gates, 0.7F, causal});
        }
      }
    }
  }
  num::use_simd_target(num::simd_targets().front());
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

TEST_CASE("a learned mask is the same for any number of threads, and finite") {
  Rng rng(42);
  const MaskShape shape{16, 19, false};
  const std::vector<float> theta = drawn_theta(shape, rng);
  std::vector<float> gates(theta.size());
  attention::open_gates(theta, 1.0F, rng.fork(0), gates);
  const OpenedMask mask{shape, gates, 1.0F, true};
  DrawnHeads one(300, 300, 9, 4, 2, rng);
  for (int i = 0; i < 300; ++i) {
    one.q.view()(i, 3) *= 1e4F;
  }
  DrawnHeads four = one;
  const auto d_theta = run_masked(one, mask, 1);
  CHECK(d_theta == run_masked(four, mask, 4));
  CHECK(distance(one.dq.view(), test::plain(four.dq.view())) == 0.0);
  CHECK(distance(one.dk.view(), test::plain(four.dk.view())) == 0.0);
  CHECK(distance(one.dv.view(), test::plain(four.dv.view())) == 0.0);
  CHECK(std::ranges::all_of(d_theta, [](float x) { return std::isfinite(x); }));
}

TEST_SUITE_END();
