#include "survey/kernel/sparse/topk.h"

#include "ref/plain_attention.h"
#include "ref/targets.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace oa;
using attention::TopkKept;
using test::DrawnHeads;
using test::Plain;
using test::PlainHeads;

namespace {

// What was found, with the memory of the kept keys.
struct Found {
  Arena arena;
  TopkKept kept;
  num::Matrix tails;
};

Found run_topk(DrawnHeads& x, int k, bool causal, int threads) {
  const auto make = [&](Arena& arena) {
    const TopkKept kept =
        attention::topk_kept(attention::HeadsShape::of(x.view()), k, causal, arena);
    return std::pair(kept, attention::topk_scratch(kept, threads, arena));
  };
  Found found{Arena(bytes_taken(make)), {}, num::Matrix(x.heads, x.q.view().rows)};
  const auto [kept, scratch] = make(found.arena);
  found.kept = kept;
  num::Matrix transposed(x.view().k.cols, x.view().k.rows);
  attention::transpose_keys(x.view(), transposed, threads);
  attention::topk_forward(x.view(),
                          transposed,
                          x.o.view(),
                          kept,
                          {x.log_sums.view(), found.tails.view()},
                          scratch,
                          threads);
  attention::topk_backward(
      x.view(), kept, x.d_o.view(), x.gradient(), scratch, threads);
  return found;
}

test::Keep seen(bool causal) {
  return [=](int, int i, int j) { return causal && j > i ? 0.0 : 1.0; };
}

// The k largest logits of the row by sorting, of equal ones the first.
std::vector<int> best_keys(const PlainHeads& x, int h, int i, int k, bool causal) {
  std::vector<int> keys(static_cast<std::size_t>(causal ? i + 1 : x.k.rows));
  std::iota(keys.begin(), keys.end(), 0);
  std::ranges::stable_sort(
      keys, [&](int a, int b) { return x.logit(h, i, a) > x.logit(h, i, b); });
  keys.resize(std::min(keys.size(), static_cast<std::size_t>(k)));
  std::ranges::sort(keys);
  return keys;
}

std::vector<int> list(std::span<const int> keys) {
  return {keys.begin(), keys.end()};
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("over more keys than a tile has the largest logits are still found") {
  Rng rng(22);
  DrawnHeads x(300, 700, 8, 1, 1, rng);
  const Found found = run_topk(x, 33, false, 2);
  const PlainHeads slow(x.view());
  for (int i = 0; i < 300; i += 37) {
    CHECK(list(found.kept.columns_of(0, i)) == best_keys(slow, 0, i, 33, false));
    CHECK(static_cast<double>(x.log_sums.view()(0, i)) ==
          doctest::Approx(slow.log_sum(0, i, seen(false))).epsilon(1e-6));
  }
  // The output differs from softmax by at most twice the tail, in units of values.
  double largest = 0.0;
  for (const double value : slow.v.data) {
    largest = std::max(largest, std::abs(value));
  }
  const Plain exact = slow.attend(seen(false));
  for (int i = 0; i < 300; ++i) {
    for (int c = 0; c < 8; ++c) {
      CHECK(std::abs(static_cast<double>(x.o.view()(i, c)) - exact(i, c)) <=
            2.0 * static_cast<double>(found.tails(0, i)) * largest + 1e-6);
    }
  }
}

TEST_CASE("among equal logits the lower keys are kept") {
  Rng rng(23);
  ref::on_each_target([&] {
    DrawnHeads x(3, 600, 4, 1, 1, rng);
    for (int j = 0; j < 600; ++j) {
      for (int c = 0; c < 4; ++c) {
        x.k.view()(j, c) = j == 500 ? 2.0F : 1.0F;
        x.q.view()(0, c) = 1.0F;
        x.q.view()(1, c) = 0.0F;
        x.q.view()(2, c) = -1.0F;
      }
    }
    const Found found = run_topk(x, 3, false, 1);
    CHECK(list(found.kept.columns_of(0, 0)) == std::vector<int>{0, 1, 500});
    CHECK(list(found.kept.columns_of(0, 1)) == std::vector<int>{0, 1, 2});
    CHECK(list(found.kept.columns_of(0, 2)) == std::vector<int>{0, 1, 2});
  });
}

TEST_CASE("top-k attention takes any logits and any number of keys") {
  Rng rng(25);
  DrawnHeads x(20, 20, 3, 1, 1, rng);
  for (int i = 0; i < 20; ++i) {
    x.q.view()(i, 0) = i % 2 == 0 ? 1e4F : -1e4F;
  }
  x.q.view()(5, 1) = std::numeric_limits<float>::quiet_NaN();
  x.k.view()(19, 2) = std::numeric_limits<float>::infinity();
  (void)run_topk(x, 4, true, 1);
  for (int i = 0; i < 20; ++i) {
    CHECK(std::isnan(x.o.view()(i, 0)) == (i == 5));
    CHECK(std::isfinite(x.dq.view()(i, 0)) == (i != 5));
  }
  DrawnHeads none(0, 0, 4, 2, 1, rng);
  (void)run_topk(none, 3, false, 2);
  DrawnHeads no_keys(3, 0, 4, 2, 1, rng);
  const Found found = run_topk(no_keys, 3, false, 2);
  CHECK(no_keys.o.view()(2, 3) == 0.0F);
  CHECK(no_keys.dq.view()(2, 3) == 0.0F);
  CHECK(found.tails(0, 0) == 0.0F);
}

TEST_SUITE_END();
