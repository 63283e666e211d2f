#include "survey/kernel/pattern/patterns.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <vector>

using namespace oa::attention;

namespace {

std::int64_t window_pairs(std::int64_t n, std::int64_t w) {
  return n * (2 * w + 1) - w * (w + 1);
}

// Where the pattern and the definition differ, and whether the runs of the pattern are
// in order.
int differences(const Pattern& pattern,
                bool causal,
                const std::function<bool(int, int)>& defined) {
  int count = 0;
  for (int i = 0; i < pattern.queries(); ++i) {
    for (int j = 0; j < pattern.keys(); ++j) {
      const bool wanted = defined(i, j) && (!causal || j <= i);
      count += pattern.allows(i, j) != wanted ? 1 : 0;
    }
    if (!pattern.is_band()) {
      int end = -1;
      for (const Run& run : pattern.runs(i)) {
        count += run.begin <= end || run.length() < 1 ? 1 : 0;
        end = run.end;
      }
    }
  }
  return count;
}

bool contains(const Pattern& larger, const Pattern& smaller) {
  for (int i = 0; i < larger.queries(); ++i) {
    for (int j = 0; j < larger.keys(); ++j) {
      if (smaller.allows(i, j) && !larger.allows(i, j)) {
        return false;
      }
    }
  }
  return true;
}

bool same(const Pattern& a, const Pattern& b) {
  return a.queries() == b.queries() && contains(a, b) && contains(b, a);
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("fixed patterns are what their definitions say") {
  for (const bool causal : {false, true}) {
    for (const int n : {0, 1, 2, 7, 33, 50}) {
      CAPTURE(n);
      for (const int w : {0, 1, 3, 60}) {
        const auto near = [&](int i, int j) { return std::abs(i - j) <= w; };
        CHECK(differences(window_pattern(n, w, causal), causal, near) == 0);
        for (const int s : {1, 2, 5, 70}) {
          CHECK(
              differences(strided_pattern(n, s, w, causal), causal, [&](int i, int j) {
                return near(i, j) || (i - j) % s == 0;
              }) == 0);
          CHECK(
              differences(dilated_pattern(n, w, s, causal), causal, [&](int i, int j) {
                return std::abs(i - j) <= w * s && (i - j) % s == 0;
              }) == 0);
          CHECK(differences(
                    longformer_pattern(n, w, s, causal), causal, [&](int i, int j) {
                      return near(i, j) || i < s || j < s;
                    }) == 0);
          const int c = std::min(w, s);
          CHECK(differences(
                    sparse_fixed_pattern(n, s, c, causal), causal, [&](int i, int j) {
                      return i / s == j / s || j % s >= s - c;
                    }) == 0);
          CHECK(differences(
                    sparse_strided_pattern(n, s, causal), causal, [&](int i, int j) {
                      return std::abs(i - j) <= s || (i - j) % s == 0;
                    }) == 0);
        }
      }
    }
  }
}

TEST_CASE("patterns class by class are the same in another order") {
  const auto check = [](const OrderedPattern& ordered, const Pattern& own) {
    std::vector<int> tokens = ordered.order;
    std::ranges::sort(tokens);
    for (int i = 0; i < own.queries(); ++i) {
      REQUIRE(tokens[static_cast<std::size_t>(i)] == i);
    }
    CHECK(differences(ordered.pattern, false, [&](int p, int k) {
            return own.allows(ordered.order[static_cast<std::size_t>(p)],
                              ordered.order[static_cast<std::size_t>(k)]);
          }) == 0);
  };
  for (const bool causal : {false, true}) {
    for (const int n : {0, 1, 2, 7, 33, 50}) {
      CAPTURE(n);
      for (const int s : {1, 2, 5, 7, 70}) {
        CAPTURE(s);
        for (const int w : {0, 1, 3, 60}) {
          check(strided_by_class(n, s, w, causal), strided_pattern(n, s, w, causal));
          const int c = std::min(w, s);
          check(sparse_fixed_by_class(n, s, c, causal),
                sparse_fixed_pattern(n, s, c, causal));
        }
      }
    }
  }
}

TEST_CASE("BigBird has the pairs of its formula, drawn once from seed and size") {
  CHECK(bigbird_pattern(49, {}, false).pairs() == 859);
  BigBird exercise{.radius = 3, .globals = 2, .random = 2};
  CHECK(bigbird_pattern(512, exercise, false).pairs() == 6622);
  const Pattern first = bigbird_pattern(512, exercise, false);
  CHECK(same(first, bigbird_pattern(512, exercise, false)));
  CHECK(contains(first, longformer_pattern(512, 3, 2, false)));
  exercise.seed = 2;
  CHECK_FALSE(same(first, bigbird_pattern(512, exercise, false)));

  // A causal query draws from the keys before it, and takes all where there are few.
  const Pattern causal = bigbird_pattern(60, {}, true);
  const Pattern seen = longformer_pattern(60, 3, 4, true);
  CHECK(contains(Pattern::causal(60), causal));
  CHECK(contains(causal, seen));
  for (int i = 4; i < 60; ++i) {
    CHECK(causal.degree(i) == std::min(i + 1, seen.degree(i) + 4));
  }
  CHECK(same(bigbird_pattern(20, {.random = 20}, false), Pattern::all(20, 20)));
  CHECK(same(bigbird_pattern(20, {.random = 20}, true), Pattern::causal(20)));
}

TEST_CASE("BigBird draws every key about as often") {
  std::vector<int> drawn(40);
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const BigBird shape{.radius = 0, .globals = 0, .random = 3, .seed = seed};
    const Pattern p = bigbird_pattern(40, shape, false);
    for (int i = 0; i < 40; ++i) {
      for (int j = 0; j < 40; ++j) {
        drawn[static_cast<std::size_t>(j)] += i != j && p.allows(i, j) ? 1 : 0;
      }
    }
  }
  // 60,000 draws, 1,500 a key with a standard deviation of 37.
  for (const int count : drawn) {
    CHECK(std::abs(count - 1500) < 200);
  }
}

TEST_CASE("BigBird of blocks is the pattern of its blocks, and touches fewer of them") {
  const BigBird blocks{.radius = 1, .globals = 1, .random = 2, .block = 16};
  const Pattern p = bigbird_pattern(1024, blocks, false);
  CHECK(p.pairs() == 256 * (2 * 64 - 1 + window_pairs(63, 1) + 63 * 2));
  CHECK(block_pairs(p, 16) == p.pairs());
  CHECK(bigbird_pattern(1001, blocks, false).pairs() <= p.pairs());
  const Pattern scattered =
      bigbird_pattern(1024, {.radius = 3, .globals = 4, .random = 4}, false);
  CHECK(scattered.pairs() < p.pairs());
  CHECK(block_pairs(scattered, 16) > 3 * p.pairs());
  // A causal pattern of blocks keeps half of its diagonal blocks.
  const Pattern causal = bigbird_pattern(1001, blocks, true);
  CHECK(contains(Pattern::causal(1001), causal));
  CHECK(causal.allows(1000, 992));
  CHECK(causal.degree(0) == 1);
}

TEST_CASE("a block-sparse pattern has as many blocks in each row as its density says") {
  const BlockSparse shape{.block = 8, .band = 1, .density = 0.25};
  const Pattern p = block_sparse_pattern(20 * 8, shape, false);
  CHECK(p.degree(0) == 8 * (2 + 5));   // 18 others, a quarter of them rounded
  CHECK(p.degree(80) == 8 * (3 + 4));  // 17 others
  CHECK(block_pairs(p, 8) == p.pairs());
  const Pattern full = block_sparse_pattern(50, {.block = 8, .density = 1.0}, false);
  CHECK(same(full, Pattern::all(50, 50)));
  CHECK(same(block_sparse_pattern(50, {.block = 8, .density = 1.0}, true),
             Pattern::causal(50)));
  const std::vector<std::uint8_t> allowed = {1, 0, 0, 1, 1, 0, 0, 0, 0};
  const Pattern given = blocks_pattern(10, 4, allowed, false);
  CHECK(differences(given, false, [&](int i, int j) {
          return allowed[static_cast<std::size_t>(i / 4 * 3 + j / 4)] != 0;
        }) == 0);
  CHECK(given.degree(9) == 0);
}

TEST_CASE("the transposed pattern says which queries see a key") {
  const auto check = [](const Pattern& p) {
    const Pattern t = transposed(p);
    CHECK(t.queries() == p.keys());
    CHECK(t.keys() == p.queries());
    CHECK(differences(t, false, [&](int i, int j) { return p.allows(j, i); }) == 0);
  };
  check(bigbird_pattern(49, {}, true));
  check(strided_pattern(30, 7, 1, false));
  check(window_pattern(30, 4, true));
  check(window_pattern(5, 9, false));
  check(Pattern::band(7, 12, 2, 3));
  check(Pattern::all(4, 0));
  check(Pattern::all(0, 4));
}

TEST_SUITE_END();
