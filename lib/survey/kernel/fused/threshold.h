#pragma once

#include "survey/kernel/fused/fused.h"

#include <cstdint>

namespace oa::attention {

/// Returns a plan with small tiles, of which the second pass can skip more.
[[nodiscard]] inline FusedPlan plan_threshold() {
  return {12, 32, true};
}

/// Numbers of tiles, queries x keys of the plan, in the second pass.
struct ThresholdCount {
  std::int64_t tiles = 0;    ///< visible to some query
  std::int64_t skipped = 0;  ///< of these, those with all logits below the threshold
};

/// Computes fused_forward() with only the logits that exceed the largest of their row
/// minus `tau`; weights are relative to the sum of kept weights.
/// A first pass finds the maxima; a second pass skips tiles without kept logits.
/// A head costs 2 to 6 d FLOPs for each pair.
ThresholdCount threshold_forward(const HeadsView& heads,
                                 const Pattern& pattern,
                                 float tau,
                                 num::View o,
                                 num::View log_sums,
                                 const FusedScratch& scratch);

}  // namespace oa::attention
