#include "survey/kernel/pattern/patterns.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "survey/kernel/pattern/pattern_builder.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace oa::attention {
namespace {

// Builds the pattern in which see(builder, i) adds the keys of query i.
template <class See>
Pattern built(int n, bool causal, See&& see) {
  PatternBuilder builder(n);
  for (int i = 0; i < n; ++i) {
    see(builder, i);
    builder.end_query(causal ? i : n - 1);
  }
  return builder.take();
}

void see_window(PatternBuilder& builder, int i, std::int64_t radius) {
  builder.see(i - radius, i + radius + 1);
}

// Adds every `stride`-th key before and after i, at most `most` of them on each side.
void see_stride(PatternBuilder& builder, int n, int i, int stride, std::int64_t most) {
  const std::int64_t back = std::min<std::int64_t>(i / stride, most);
  const std::int64_t ahead = std::min<std::int64_t>((n - 1 - i) / stride, most);
  for (std::int64_t j = i - back * stride; j <= i + ahead * stride; j += stride) {
    builder.see(j, j + 1);
  }
}

int blocks_of(int n, int block) {
  return static_cast<int>((std::int64_t{n} + block - 1) / block);
}

std::span<const Run> runs_of(const Pattern& pattern, int query, Run& band) {
  if (!pattern.is_band()) {
    return pattern.runs(query);
  }
  band = pattern.band_row(query);
  return {&band, band.length() > 0 ? 1U : 0U};
}

// Adds the blocks of keys that a query sees.
// Extends the last run if the blocks continue it.  Most patterns have few runs.
void touch_blocks(const Pattern& pattern,
                  int query,
                  int block,
                  std::vector<Run>& touched) {
  Run band;
  for (const Run& run : runs_of(pattern, query, band)) {
    const Run blocks{run.begin / block, (run.end - 1) / block + 1};
    if (!touched.empty() && touched.back().begin <= blocks.begin &&
        blocks.begin <= touched.back().end) {
      touched.back().end = std::max(touched.back().end, blocks.end);
    } else {
      touched.push_back(blocks);
    }
  }
}

// Calls found() for chosen keys among keys 0 .. end-1 outside the runs.
// `chosen` numbers the keys outside, and ascends.
template <class Found>
void find_left_out(std::span<const Run> runs,
                   std::span<const int> chosen,
                   Found&& found) {
  int skipped = 0;  // keys of runs before the next key outside
  std::size_t r = 0;
  for (const int number : chosen) {
    while (r < runs.size() && runs[r].begin <= number + skipped) {
      skipped += runs[r++].length();
    }
    found(number + skipped);
  }
}

// Draws `count` distinct numbers below n, ascending, by Floyd's method,
// which takes only `count` random numbers.
std::vector<int> draw_numbers(int n, int count, Rng rng) {
  std::vector<int> chosen;
  for (int top = n - count; top < n; ++top) {
    const auto number =
        static_cast<int>(rng.below(static_cast<std::uint32_t>(top) + 1));
    const auto place = std::ranges::lower_bound(chosen, number);
    if (place != chosen.end() && *place == number) {
      chosen.push_back(top);  // above all drawn before
    } else {
      chosen.insert(place, number);
    }
  }
  return chosen;
}

// Adds random keys to `seen` for each query from `first` on.  A query that does not see
// `left` keys (up to its own, if causal) gets how_many(left) of them.
template <class HowMany>
Pattern with_random(
    const Pattern& seen, bool causal, int first, std::uint64_t seed, HowMany how_many) {
  const int n = seen.keys();
  const Rng rng = Rng(seed).fork(static_cast<std::uint64_t>(n));
  return built(n, causal, [&](PatternBuilder& builder, int i) {
    Run band;
    const std::span<const Run> runs = runs_of(seen, i, band);
    for (const Run& run : runs) {
      builder.see(run.begin, run.end);
    }
    if (i < first) {
      return;
    }
    const int left = (causal ? i + 1 : n) - seen.degree(i);
    const int count = std::min(left, how_many(left));
    const auto chosen =
        draw_numbers(left, count, rng.fork(static_cast<std::uint64_t>(i)));
    find_left_out(runs, chosen, [&](int key) { builder.see(key, key + 1); });
  });
}

Pattern bigbird_of_tokens(int n, const BigBird& shape, bool causal) {
  const Pattern seen = longformer_pattern(n, shape.radius, shape.globals, causal);
  return with_random(seen, causal, shape.globals, shape.seed, [&](int /*left*/) {
    return shape.random;
  });
}

}  // namespace

Pattern window_pattern(int n, int radius, bool causal) {
  assert(n >= 0 && radius >= 0);
  return Pattern::band(n, n, radius, causal ? 0 : radius);
}

Pattern strided_pattern(int n, int stride, int radius, bool causal) {
  assert(n >= 0 && stride >= 1 && radius >= 0);
  return built(n, causal, [&](PatternBuilder& builder, int i) {
    see_window(builder, i, radius);
    see_stride(builder, n, i, stride, n);
  });
}

Pattern dilated_pattern(int n, int radius, int dilation, bool causal) {
  assert(n >= 0 && radius >= 0 && dilation >= 1);
  return built(n, causal, [&](PatternBuilder& builder, int i) {
    see_stride(builder, n, i, dilation, radius);
  });
}

Pattern longformer_pattern(int n, int radius, int globals, bool causal) {
  assert(n >= 0 && radius >= 0 && globals >= 0);
  return built(n, causal, [&](PatternBuilder& builder, int i) {
    builder.see(0, i < globals ? n : globals);
    see_window(builder, i, radius);
  });
}

Pattern sparse_fixed_pattern(int n, int block, int summary, bool causal) {
  assert(n >= 0 && block >= 1 && summary >= 0 && summary <= block);
  return built(n, causal, [&](PatternBuilder& builder, int i) {
    const std::int64_t own = i / block * block;
    for (std::int64_t begin = 0; begin < n; begin += block) {
      builder.see(begin == own ? begin : begin + block - summary, begin + block);
    }
  });
}

Pattern sparse_strided_pattern(int n, int block, bool causal) {
  return strided_pattern(n, block, block, causal);
}

OrderedPattern strided_by_class(int n, int stride, int radius, bool causal) {
  assert(n >= 0 && stride >= 1 && radius >= 0);
  const auto first = [&](int rest) {
    return rest * (n / stride) + std::min(rest, n % stride);
  };
  const auto place = [&](int i) { return first(i % stride) + i / stride; };
  std::vector<int> order(at(n));
  for (int i = 0; i < n; ++i) {
    order[at(place(i))] = i;
  }
  Pattern pattern = built(n, false, [&](PatternBuilder& builder, int p) {
    const int i = order[at(p)];
    const int rest = i % stride;
    builder.see(first(rest), causal ? p + 1 : first(rest + 1));
    const int last = causal ? i : std::min(n - 1, i + radius);
    for (int j = std::max(0, i - radius); j <= last; ++j) {
      builder.see(place(j), place(j) + 1);
    }
  });
  return {std::move(pattern), std::move(order)};
}

OrderedPattern sparse_fixed_by_class(int n, int block, int summary, bool causal) {
  assert(n >= 0 && block >= 1 && summary >= 0 && summary <= block);
  const int others = block - summary;  // first tokens of a block
  const auto seen_by_all = [&](int i) { return i % block >= others; };
  std::vector<int> order(at(n));
  std::iota(order.begin(), order.end(), 0);
  const auto middle = std::ranges::stable_partition(order, seen_by_all).begin();
  std::vector<int> place(at(n));
  for (int p = 0; p < n; ++p) {
    place[at(order[at(p)])] = p;
  }
  Pattern pattern = built(n, false, [&](PatternBuilder& builder, int p) {
    const int i = order[at(p)];
    const int end = causal ? i + 1 : n;  // end of the keys that it may see
    builder.see(0, std::lower_bound(order.begin(), middle, end) - order.begin());
    const int begin = i / block * block;
    if (const int last = std::min(begin + others, end) - 1; last >= begin) {
      builder.see(place[at(begin)], place[at(last)] + 1);
    }
  });
  return {std::move(pattern), std::move(order)};
}

Pattern bigbird_pattern(int n, const BigBird& shape, bool causal) {
  assert(shape.random >= 0 && shape.block >= 1);
  if (shape.block == 1) {
    return bigbird_of_tokens(n, shape, causal);
  }
  return in_blocks(bigbird_of_tokens(blocks_of(n, shape.block), shape, causal),
                   n,
                   shape.block,
                   causal);
}

Pattern block_sparse_pattern(int n, const BlockSparse& shape, bool causal) {
  assert(shape.block >= 1 && shape.density >= 0.0 && shape.density <= 1.0);
  const Pattern band = window_pattern(blocks_of(n, shape.block), shape.band, causal);
  const Pattern blocks = with_random(band, causal, 0, shape.seed, [&](int left) {
    return static_cast<int>(std::lround(shape.density * left));
  });
  return in_blocks(blocks, n, shape.block, causal);
}

Pattern in_blocks(const Pattern& blocks, int n, int block, bool causal) {
  assert(blocks.keys() == blocks_of(n, block) && blocks.queries() == blocks.keys());
  return built(n, causal, [&](PatternBuilder& builder, int i) {
    Run band;
    for (const Run& run : runs_of(blocks, i / block, band)) {
      builder.see(std::int64_t{run.begin} * block, std::int64_t{run.end} * block);
    }
  });
}

Pattern blocks_pattern(int n,
                       int block,
                       std::span<const std::uint8_t> allowed,
                       bool causal) {
  const int blocks = blocks_of(n, block);
  assert(std::ssize(allowed) == std::int64_t{blocks} * blocks);
  const auto listed = built(blocks, causal, [&](PatternBuilder& builder, int i) {
    for (int j = 0; j < blocks; ++j) {
      if (allowed[at(std::int64_t{i} * blocks + j)] != 0) {
        builder.see(j, j + 1);
      }
    }
  });
  return in_blocks(listed, n, block, causal);
}

Pattern transposed(const Pattern& pattern) {
  const int keys = pattern.keys();
  if (pattern.is_band() && pattern.queries() == keys && keys > 0) {
    const int right = pattern.band_row(0).end - 1;
    const int left = keys - 1 - pattern.band_row(keys - 1).begin;
    return Pattern::band(keys, keys, right, left);
  }
  std::vector<std::int64_t> first(at(keys) + 1);
  // Runs twice: first counts the runs of each key, then writes them.
  // A key that the previous query also sees extends its last run.
  std::vector<int> last(at(keys), -2);
  const auto walk = [&](auto&& longer, auto&& another) {
    std::ranges::fill(last, -2);
    for (int i = 0; i < pattern.queries(); ++i) {
      Run band;
      for (const Run& run : runs_of(pattern, i, band)) {
        for (int j = run.begin; j < run.end; ++j) {
          last[at(j)] == i - 1 ? longer(j) : another(j, i);
          last[at(j)] = i;
        }
      }
    }
  };
  walk([](int) {}, [&](int j, int) { ++first[at(j) + 1]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<Run> runs(at(first.back()));
  std::vector<std::int64_t> end(first.begin(), first.end() - 1);
  walk([&](int j) { ++runs[at(end[at(j)] - 1)].end; },
       [&](int j, int i) {
         runs[at(end[at(j)]++)] = {i, i + 1};
       });
  return Pattern::of_runs(pattern.queries(), first, std::move(runs));
}

std::int64_t block_pairs(const Pattern& pattern, int block) {
  assert(block >= 1);
  std::int64_t sum = 0;
  std::vector<Run> touched;  // blocks of keys that a row of blocks sees
  for (int first = 0; first < pattern.queries(); first += block) {
    const int last = std::min(first + block, pattern.queries()) - 1;
    touched.clear();
    for (int i = first; i <= last; ++i) {
      touch_blocks(pattern, i, block, touched);
    }
    std::ranges::sort(touched, {}, &Run::begin);
    std::int64_t keys = 0;
    int end = 0;  // of the counted blocks
    for (const Run& run : touched) {
      const int begin = std::max(run.begin, end);
      end = std::max(run.end, end);
      keys += std::min(std::int64_t{end} * block, std::int64_t{pattern.keys()}) -
              std::min(std::int64_t{begin} * block, std::int64_t{pattern.keys()});
    }
    sum += keys * (last - first + 1);
  }
  return sum;
}

}  // namespace oa::attention
