#include "oa/attention/kernel/fused/tilted.h"

#include "oa/attention/kernel/fused/tile.h"

#include <cassert>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.
#include "oa/attention/kernel/fused/forward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

void run_tilted_tile(const FusedTile& t) {
  forward::run_tile<tile::Tilted>(t);
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(run_tilted_tile);

}  // namespace

void tilted_forward(const HeadsView& heads,
                    const Tilt& tilt,
                    const Pattern& pattern,
                    num::View o,
                    num::View log_sums,
                    const FusedScratch& scratch) {
  assert(num::same_shape(heads.q, tilt.r) && scratch.precision() == Precision::Float);
  for_fused_tiles(heads,
                  pattern,
                  o,
                  log_sums,
                  scratch,
                  1,
                  [&](const FusedTile& tile, int /*round*/) {
                    FusedTile tilted = tile;
                    tilted.tilt = &tilt;
                    HWY_DYNAMIC_DISPATCH(run_tilted_tile)(tilted);
                  });
}

}  // namespace oa::attention
#endif
