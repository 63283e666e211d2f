#pragma once

#include "survey/kernel/fused/packing.h"
#include "survey/kernel/fused/tile_cut.h"
#include "survey/kernel/fused/worker.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace oa::attention {

/// A tile and its operands.
struct FusedTile {
  TileRows rows;
  const HeadsView* heads;
  HeadRows k;
  HeadRows v;
  const FusedPlan* plan;
  const FusedWorker* worker;
  const float* packed;          // keys of the group, or null
  std::ptrdiff_t panel_floats;  // size of a panel of packed keys
  const std::uint8_t* careful;  // panels of the group whose values are not all finite
  num::View o;
  num::View log_sums;
};

/// Packs the keys of the groups and calls run(tile, round) for all tiles.
/// Threads share the tiles of a round; the next round starts after all of them.
void for_fused_tiles(const HeadsView& heads,
                     const Pattern& pattern,
                     num::View o,
                     num::View log_sums,
                     const FusedScratch& scratch,
                     int rounds,
                     const std::function<void(const FusedTile&, int)>& run);

}  // namespace oa::attention
