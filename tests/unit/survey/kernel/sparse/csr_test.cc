#include "survey/kernel/sparse/csr.h"

#include "oa/num/simd.h"
#include "ref/plain_attention.h"
#include "survey/kernel/pattern/pattern_builder.h"
#include "survey/kernel/pattern/patterns.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace oa;
using attention::Pattern;
using test::DrawnHeads;
using test::Plain;
using test::PlainHeads;

namespace {

void run_gathered(DrawnHeads& x, const Pattern& pattern, int threads) {
  Arena arena(bytes_taken(
      [&](Arena& a) { return attention::csr_scratch(pattern, threads, a); }));
  const auto scratch = attention::csr_scratch(pattern, threads, arena);
  attention::csr_forward(
      x.view(), pattern, x.o.view(), x.log_sums.view(), scratch, threads);
  attention::csr_backward(x.view(),
                          pattern,
                          x.log_sums.view(),
                          x.d_o.view(),
                          x.gradient(),
                          scratch,
                          threads);
}

test::Keep seen_by(const Pattern& pattern) {
  return [&](int, int i, int j) { return pattern.allows(i, j) ? 1.0 : 0.0; };
}

// Queries that see nothing, one key, and keys at both ends.
Pattern odd_pattern(int n) {
  attention::PatternBuilder builder(n);
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 1) {
      builder.see(i, i + 1);
    } else if (i % 3 == 2) {
      builder.see(0, 2);
      builder.see(n - 2, n);
      builder.see(i / 2, i / 2 + 5);
    }
    builder.end_query();
  }
  return builder.take();
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("gathered attention and its gradients are those of masked softmax") {
  Rng rng(11);
  for (const auto target : num::simd_targets()) {
    num::use_simd_target(target);
    CAPTURE(target);
    for (const auto& [n, d, heads, groups] : {std::array{9, 1, 1, 1},
                                              std::array{7, 5, 4, 2},
                                              std::array{11, 16, 2, 1},
                                              std::array{6, 19, 2, 2},
                                              std::array{5, 70, 1, 1}}) {
      CAPTURE(d);
      for (const Pattern& pattern : {odd_pattern(n),
                                     Pattern::all(n, n),
                                     Pattern::causal(n),
                                     attention::strided_pattern(n, 3, 1, true)}) {
        DrawnHeads x(n, n, d, heads, groups, rng);
        run_gathered(x, pattern, 1);
        CHECK(x.intact());
        PlainHeads slow(x.view());
        const test::Keep keep = seen_by(pattern);
        CHECK(distance(x.o.view(), slow.attend(keep)) < 2e-6);
        Plain log_sums(heads, n);
        for (int h = 0; h < heads; ++h) {
          for (int i = 0; i < n; ++i) {
            log_sums(h, i) = slow.log_sum(h, i, keep);
            if (std::isinf(log_sums(h, i))) {
              CHECK(x.log_sums.view()(h, i) == static_cast<float>(log_sums(h, i)));
              log_sums(h, i) = x.log_sums.view()(h, i) = 0.0F;
            }
          }
        }
        CHECK(distance(x.log_sums.view(), log_sums) < 2e-6);
        const Plain d_o = test::plain(x.d_o.view());
        const auto loss = [&] { return inner(slow.attend(keep), d_o); };
        CHECK(distance(x.dq.view(), differences(slow.q, loss)) < 2e-5);
        CHECK(distance(x.dk.view(), differences(slow.k, loss)) < 2e-5);
        CHECK(distance(x.dv.view(), differences(slow.v, loss)) < 2e-5);
      }
    }
  }
  num::use_simd_target(num::simd_targets().front());
}

TEST_CASE("gathered attention is the same for any number of threads") {
  const Pattern pattern = attention::bigbird_pattern(200, {}, false);
  for (const auto target : num::simd_targets()) {
    num::use_simd_target(target);
    Rng rng(12);
    DrawnHeads one(200, 200, 21, 6, 3, rng);
    DrawnHeads four = one;
    run_gathered(one, pattern, 1);
    run_gathered(four, pattern, 4);
    CHECK(distance(one.o.view(), test::plain(four.o.view())) == 0.0);
    CHECK(distance(one.dq.view(), test::plain(four.dq.view())) == 0.0);
    CHECK(distance(one.dk.view(), test::plain(four.dk.view())) == 0.0);
    CHECK(distance(one.dv.view(), test::plain(four.dv.view())) == 0.0);
  }
  num::use_simd_target(num::simd_targets().front());
}

TEST_CASE("gathered attention takes any logits and any number of keys") {
  Rng rng(13);
  DrawnHeads x(8, 8, 3, 1, 1, rng);
  for (int i = 0; i < 8; ++i) {
    x.q.view()(i, 0) = i % 2 == 0 ? 1e4F : -1e4F;
    x.k.view()(i, 0) = i % 3 == 0 ? 1.0F : -1.0F;
  }
  const Pattern pattern = Pattern::causal(8);
  run_gathered(x, pattern, 1);
  const PlainHeads slow(x.view());
  // Logits of 1e4 are known to 5e-4 in single precision.
  CHECK(distance(x.o.view(), slow.attend(seen_by(pattern))) < 5e-3);
  for (int i = 0; i < 8; ++i) {
    CHECK(std::isfinite(x.dq.view()(i, 0)));
    CHECK(std::isfinite(x.dk.view()(i, 0)));
  }
  DrawnHeads none(0, 0, 4, 2, 1, rng);
  run_gathered(none, Pattern::all(0, 0), 2);
  DrawnHeads no_keys(3, 0, 4, 2, 1, rng);
  run_gathered(no_keys, Pattern::all(3, 0), 2);
  CHECK(no_keys.o.view()(2, 3) == 0.0F);
  CHECK(no_keys.dq.view()(2, 3) == 0.0F);
}

TEST_CASE("a NaN reaches the rows that see it and no others") {
  for (const auto target : num::simd_targets()) {
    num::use_simd_target(target);
    Rng rng(14);
    DrawnHeads x(9, 9, 20, 1, 1, rng);
    x.k.view()(4, 1) = std::numeric_limits<float>::quiet_NaN();
    x.q.view()(7, 2) = std::numeric_limits<float>::infinity();
    run_gathered(x, attention::window_pattern(9, 1, false), 1);
    for (int i = 0; i < 9; ++i) {
      CHECK(std::isnan(x.o.view()(i, 0)) == ((i >= 3 && i <= 5) || i == 7));
      CHECK(std::isnan(x.dq.view()(i, 0)) == ((i >= 3 && i <= 5) || i == 7));
      CHECK(std::isnan(x.dv.view()(i, 0)) == (i >= 2));
    }
  }
  num::use_simd_target(num::simd_targets().front());
}

TEST_SUITE_END();
