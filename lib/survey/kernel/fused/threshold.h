#pragma once

#include "survey/kernel/fused/fused.h"

#include <cstdint>

namespace oa::attention {

/// Memory for threshold_forward(): that of fused_forward(),
/// and for each thread one number for each row of a tile and panel of keys.
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

/// Numbers of register tiles, rows x panel, in the second pass.
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
                                 const ThresholdScratch& scratch);

}  // namespace oa::attention
