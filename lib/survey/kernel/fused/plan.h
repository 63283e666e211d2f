#pragma once

#include "oa/attention/kernel/heads.h"
#include "survey/kernel/pattern/pattern.h"

#include <cstddef>

namespace oa::attention {

/// The sizes that determine scratch memory.
struct HeadsShape {
  int queries = 0;
  int keys = 0;
  int heads = 1;
  int groups = 1;
  int width = 0;

  [[nodiscard]] static HeadsShape of(const HeadsView& heads);
};

/// The block sizes of fused attention.
/// Plans differ only in speed, memory and the last bits of results.
struct FusedPlan {
  int rows = 0;        ///< queries in a tile
  int keys = 0;        ///< keys in a block, a multiple of num::kLane
  bool packed = true;  ///< keys and values of a group are packed once, before its tiles
};

/// Returns the plan for this machine: blocks fit into the L2 cache.
/// `bytes` limits the scratch memory of one thread:
/// then returns the fastest known plan within the limit, or the smallest plan.
[[nodiscard]] FusedPlan plan_fused(const HeadsShape& shape, std::size_t bytes = 0);

/// plan_fused() with blocks of as many queries as keys, a power of 2 from 16 on.
/// Serves to compare block sizes.
[[nodiscard]] FusedPlan square_plan(int block);

/// The number of queries in a tile, `most` or fewer: larger tiles would compute more
/// weights of keys that only some of their queries see.
[[nodiscard]] int tile_rows(int most, const Pattern& pattern);

}  // namespace oa::attention
