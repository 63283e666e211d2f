#include "survey/kernel/fused/threshold.h"

#include "oa/base/index.h"
#include "survey/kernel/fused/tile.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace oa::attention {
namespace {

/// Returns the largest logit of each row in each block, and raises the rows' limits.
std::vector<float> find_tops(const FusedTile& t, const std::vector<Run>& blocks) {
  const std::size_t count = at(t.count);
  std::vector<float> tops(blocks.size() * count);
  auto some = std::span(tops);
  for (const Run& keys : blocks) {
    find_tops(SeenRuns(*t.pattern, t.first, t.count, keys), t.logits(keys), some);
    for (std::size_t r = 0; r < count; ++r) {
      t.worker->rows[r].limit = std::max(t.worker->rows[r].limit, some[r]);
    }
    some = some.subspan(count);
  }
  return tops;
}

ThresholdCount run_tile(const FusedTile& t, float tau) {
  const std::vector<Run> blocks = t.blocks(t.scratch->plan().keys);
  const std::span<RowSum> rows = t.worker->rows.first(at(t.count));
  t.begin();
  const std::vector<float> tops = find_tops(t, blocks);
  for (RowSum& row : rows) {
    if (row.limit != RowSum::kUnset) {
      row.reference = std::ceil(row.limit);
      row.least = row.limit - tau;
      row.limit = std::numeric_limits<float>::infinity();
    }
  }
  ThresholdCount result;
  auto top = tops.begin();
  for (const Run& keys : blocks) {
    const bool kept = std::ranges::any_of(rows, [&](const RowSum& row) {
      return !(top[&row - rows.data()] < row.least);
    });
    top += std::ssize(rows);
    ++result.tiles;
    result.skipped += kept ? 0 : 1;
    if (kept) {
      t.add(keys);
    }
  }
  t.end();
  return result;
}

}  // namespace

ThresholdCount threshold_forward(const HeadsView& heads,
                                 const Pattern& pattern,
                                 float tau,
                                 num::View o,
                                 num::View log_sums,
                                 const FusedScratch& scratch) {
  const auto base2 = static_cast<float>(static_cast<double>(tau) * std::numbers::log2e);
  // Integer sums do not depend on the order of threads.
  std::atomic<std::int64_t> tiles = 0;
  std::atomic<std::int64_t> skipped = 0;
  const auto run = [&](const FusedTile& tile, int /*round*/) {
    const ThresholdCount count = run_tile(tile, base2);
    tiles += count.tiles;
    skipped += count.skipped;
  };
  for_fused_tiles(heads, pattern, o, log_sums, scratch, 1, run);
  return {tiles, skipped};
}

}  // namespace oa::attention
