#pragma once

#include "oa/attention/kernel/fused/fused.h"

#include <cstdint>

namespace oa::attention {

/// Memory for threshold_forward: that of fused_forward, and for each thread a number a
/// row of a tile and panel of keys.
class ThresholdScratch {
 public:
  ThresholdScratch(const HeadsShape& shape,
                   const FusedPlan& plan,
                   int threads,
                   Arena& arena);

  [[nodiscard]] const FusedScratch& fused() const { return fused_; }
  [[nodiscard]] float* tops() const { return tops_; }
  [[nodiscard]] std::ptrdiff_t tops_of_thread() const { return tops_of_thread_; }

 private:
  FusedScratch fused_;
  float* tops_ = nullptr;
  std::ptrdiff_t tops_of_thread_ = 0;
};

/// How much of the second half of the work was needless: register tiles of rows x
/// panel.
struct ThresholdCount {
  std::int64_t tiles = 0;    ///< that some query sees
  std::int64_t skipped = 0;  ///< of these, all logits below the threshold
};

/// fused_forward over the logits that are at least the largest of their row less `tau`;
/// the others have no weight, and weights are relative to the sum of those that are
/// kept. Logits are computed twice, the first time for their maxima: where a tile has
/// none to keep, the second time and the values are skipped.  FLOPs 2 pairs d to 6
/// pairs d a head.
ThresholdCount threshold_forward(const HeadsView& heads,
                                 const Pattern& pattern,
                                 float tau,
                                 num::View o,
                                 num::View log_sums,
                                 const ThresholdScratch& scratch);

}  // namespace oa::attention
