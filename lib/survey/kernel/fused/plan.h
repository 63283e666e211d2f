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
  int rows = 0;   ///< queries in a tile
  int keys = 0;   ///< keys in a block: rows x keys weights are in memory at a time
  int panel = 0;  ///< keys that are packed together; divides `keys`
  int packed =
      0;  ///< groups whose keys are packed at a time; 0: panels are packed when used
  bool copies = true;  ///< values of a block are copied before use
};

/// Returns the plan for this machine: blocks fit into the L2 cache, and keys of a group
/// are packed once.  `bytes` limits the scratch memory of one thread:
/// then returns the fastest known plan within the limit, or the smallest plan.
[[nodiscard]] FusedPlan plan_fused(const HeadsShape& shape, std::size_t bytes = 0);

/// plan_fused() with blocks of as many queries as keys, a power of 2 from 16 on.
/// Serves to compare block sizes.
[[nodiscard]] FusedPlan square_plan(const HeadsShape& shape, int block);

/// The maximum number of queries in a tile.  If blocks of 64 queries see different
/// keys, larger tiles would compute many masked weights.
[[nodiscard]] int tile_rows(const FusedPlan& plan, const Pattern& pattern);

}  // namespace oa::attention
