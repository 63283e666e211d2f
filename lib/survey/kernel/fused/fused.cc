#include "survey/kernel/fused/fused.h"

#include "survey/kernel/fused/tile.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace oa::attention {
namespace {

std::size_t scratch_bytes(const HeadsShape& shape, const FusedPlan& plan) {
  return bytes_taken([&](Arena& arena) { return FusedScratch(shape, plan, 1, arena); });
}

}  // namespace

HeadsShape HeadsShape::of(const HeadsView& heads) {
  return {heads.q.rows, heads.k.rows, heads.heads, heads.groups, heads.width()};
}

FusedPlan plan_fused(const HeadsShape& shape, std::size_t bytes) {
  const auto fits = [&](const FusedPlan& p) {
    return bytes == 0 || scratch_bytes(shape, p) <= bytes;
  };
  // Larger tiles would compute more weights of keys that few of their queries see.
  const FusedPlan plan{36, 256, true};
  if (fits(plan)) {
    return plan;
  }
  // Reduces keys first, then queries.
  // Fewer queries cost most, because each tile packs all keys again.
  FusedPlan small;
  for (const int rows : {24, 12, 6, 1}) {
    for (int keys = 256; keys >= num::kLane; keys /= 2) {
      small = {rows, keys, false};
      if (fits(small)) {
        return small;
      }
    }
  }
  return small;
}

FusedPlan square_plan(int block) {
  assert(block >= num::kLane && std::has_single_bit(static_cast<unsigned>(block)));
  return {block, block, true};
}

int tile_rows(int most, const Pattern& pattern) {
  if (!pattern.is_band()) {
    const int alike = pattern.grain() >= num::kLane ? pattern.grain() : 32;
    return std::bit_floor(static_cast<unsigned>(std::min({most, alike, 32})));
  }
  if (pattern.band_row(0) == pattern.band_row(pattern.queries() - 1)) {
    return most;
  }
  const int middle = pattern.band_row(pattern.queries() / 2).length();
  return std::min(most, std::max(middle / 8 / 6 * 6, 24));
}

FusedScratch::FusedScratch(const HeadsShape& shape,
                           const FusedPlan& plan,
                           int threads,
                           Arena& arena)
    : plan_(plan) {
  assert(plan.keys % num::kLane == 0);
  const std::size_t begin = arena.mark();
  if (plan.packed) {
    // Rows a power of 2 apart would compete for few lines of the L1 cache.
    keys_ = num::zeros(shape.width, shape.keys + num::kLane, arena);
    keys_.cols = shape.keys;
    values_ = num::zeros(shape.keys, shape.width, arena);
  }
  for (int i = 0; i < threads; ++i) {
    FusedWorker& w = workers_.emplace_back();
    w.p = num::zeros(plan.rows, plan.keys, arena);
    w.o = num::zeros(plan.rows, shape.width, arena);
    w.sums = num::zeros(plan.rows, num::kLane, arena);
    if (!plan.packed) {
      w.k = num::zeros(shape.width, plan.keys, arena);
      w.v = num::zeros(plan.keys, shape.width, arena);
    }
    const auto rows = static_cast<std::size_t>(plan.rows);
    w.rows = {static_cast<RowSum*>(arena.allocate(rows * sizeof(RowSum))), rows};
    if (i == 0) {
      bytes_of_thread_ = arena.mark() - begin;
    }
  }
}

void fused_forward(const HeadsView& heads,
                   const Pattern& pattern,
                   num::View o,
                   num::View log_sums,
                   const FusedScratch& scratch) {
  const auto run = [&](const FusedTile& tile, int /*round*/) {
    tile.begin();
    for (const Run& keys : tile.blocks(scratch.plan().keys)) {
      tile.add(keys);
    }
    tile.end();
  };
  for_fused_tiles(heads, pattern, o, log_sums, scratch, 1, run);
}

}  // namespace oa::attention
