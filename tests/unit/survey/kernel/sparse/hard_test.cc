#include "survey/kernel/sparse/hard.h"

#include "ref/plain_attention.h"

#include <doctest/doctest.h>

#include <tuple>

using namespace oa;
using test::DrawnHeads;

namespace {

void run_hard(DrawnHeads& x, bool causal, int threads) {
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
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("hard attention is the same for any number of threads and tiles") {
  Rng rng(32);
  DrawnHeads one(300, 600, 9, 4, 2, rng);
  DrawnHeads four = one;
  run_hard(one, false, 1);
  run_hard(four, false, 4);
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
  run_hard(shifted, false, 2);
  CHECK(distance(shifted.dq.view(), test::plain(one.dq.view())) < 1e-5);
}

TEST_SUITE_END();
