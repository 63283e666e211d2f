#include "survey/kernel/sparse/hard.h"

#include "oa/num/simd.h"
#include "ref/plain_attention.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <utility>

using namespace oa;
using test::DrawnHeads;
using test::Plain;
using test::PlainHeads;

namespace {

// Returns the best key of each query of each head.
Plain run_hard(DrawnHeads& x, bool causal, int threads) {
  const auto make = [&](Arena& arena) {
    const auto best =
        attention::topk_kept(attention::HeadsShape::of(x.view()), 1, causal, arena);
    auto scratch = attention::topk_scratch(best, threads, arena);
    return std::tuple(best, scratch, attention::hard_scratch(x.view(), threads, arena));
  };
  Arena arena(bytes_taken(make));
  const auto [best, topk, hard] = make(arena);
  num::Matrix transposed(x.view().k.cols, x.view().k.rows);
  attention::transpose_keys(x.view(), transposed, threads);
  attention::topk_forward(
      x.view(), transposed, x.o.view(), best, {x.log_sums.view(), {}}, topk, threads);
  attention::hard_backward(
      x.view(), best, x.log_sums.view(), x.d_o.view(), x.gradient(), hard, threads);
  Plain keys(x.heads, x.q.view().rows);
  for (int h = 0; h < keys.rows; ++h) {
    for (int i = 0; i < keys.cols && best.size > 0; ++i) {
      keys(h, i) = best.columns_of(h, i)[0];
    }
  }
  return keys;
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("hard attention takes one value, and has the gradient of softmax") {
  Rng rng(31);
  for (const auto target : num::simd_targets()) {
    num::use_simd_target(target);
    CAPTURE(target);
    for (const auto& [n, d, heads, groups] : {std::array{9, 1, 1, 1},
                                              std::array{7, 5, 4, 2},
                                              std::array{35, 3, 1, 1},
                                              std::array{6, 17, 2, 2}}) {
      for (const bool causal : {false, true}) {
        CAPTURE(n);
        DrawnHeads x(n, n, d, heads, groups, rng);
        const Plain best = run_hard(x, causal, 1);
        CHECK(x.intact());
        PlainHeads slow(x.view());
        const test::Keep one_hot = [&](int h, int i, int j) {
          return best(h, i) == j ? 1.0 : 0.0;
        };
        const test::Keep seen = [=](int, int i, int j) {
          return causal && j > i ? 0.0 : 1.0;
        };
        CHECK(distance(x.o.view(), slow.attend(one_hot)) == 0.0);
        const Plain d_o = test::plain(x.d_o.view());
        const auto soft = [&] { return inner(slow.attend(seen), d_o); };
        const auto hard = [&] { return inner(slow.attend(one_hot), d_o); };
        CHECK(distance(x.dq.view(), differences(slow.q, soft)) < 2e-5);
        CHECK(distance(x.dk.view(), differences(slow.k, soft)) < 2e-5);
        CHECK(distance(x.dv.view(), differences(slow.v, hard)) < 2e-5);
      }
    }
  }
  num::use_simd_target(num::simd_targets().front());
}

TEST_CASE("hard attention is the same for any number of threads and tiles") {
  Rng rng(32);
  DrawnHeads one(300, 600, 9, 4, 2, rng);
  DrawnHeads four = one;
  (void)run_hard(one, false, 1);
  (void)run_hard(four, false, 4);
  CHECK(distance(one.dq.view(), test::plain(four.dq.view())) == 0.0);
  CHECK(distance(one.dk.view(), test::plain(four.dk.view())) == 0.0);
  CHECK(distance(one.dv.view(), test::plain(four.dv.view())) == 0.0);
  // The gradient of the logits of a query sums to 0, so dq is blind to a shift of keys.
  DrawnHeads shifted = four;
  for (int j = 0; j < 600; ++j) {
    for (int c = 0; c < 18; ++c) {
      shifted.k.view()(j, c) += 0.5F;
    }
  }
  (void)run_hard(shifted, false, 2);
  CHECK(distance(shifted.dq.view(), test::plain(one.dq.view())) < 1e-5);
}

TEST_CASE("hard attention takes extreme logits and no keys") {
  Rng rng(33);
  DrawnHeads x(40, 40, 3, 1, 1, rng);
  for (int i = 0; i < 40; ++i) {
    x.q.view()(i, 0) = i % 2 == 0 ? 1e4F : -1e4F;
  }
  (void)run_hard(x, true, 1);
  for (int i = 0; i < 40; ++i) {
    CHECK(std::isfinite(x.dq.view()(i, 0)));
    CHECK(std::isfinite(x.dk.view()(i, 0)));
  }
  DrawnHeads none(0, 0, 4, 2, 1, rng);
  (void)run_hard(none, true, 2);
  DrawnHeads no_keys(3, 0, 4, 2, 1, rng);
  (void)run_hard(no_keys, false, 2);
  CHECK(no_keys.o.view()(2, 3) == 0.0F);
  CHECK(no_keys.dq.view()(2, 3) == 0.0F);
}

TEST_SUITE_END();
