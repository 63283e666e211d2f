#pragma once

#include "survey/kernel/fused/fused.h"

#include <span>

namespace oa::attention {

/// Memory of fused_forward(), and the sum of each head and query.
class Flash1Scratch {
 public:
  Flash1Scratch(const HeadsShape& shape,
                const FusedPlan& plan,
                int threads,
                Arena& arena);

  [[nodiscard]] const FusedScratch& fused() const { return fused_; }
  [[nodiscard]] std::span<RowSum> sums() const { return sums_; }

 private:
  FusedScratch fused_;
  std::span<RowSum> sums_;
};

/// Computes fused_forward() in the order of the first FlashAttention, for comparison.
/// The outer loop is over blocks of keys.
/// So each block reads outputs, writes outputs and divides them by their sums l:
///   o <- (l o + P v) / l'
/// Moves 2 n d keys / plan.keys floats a head more than fused_forward().
void flash1_forward(const HeadsView& heads,
                    const Pattern& pattern,
                    num::View o,
                    num::View log_sums,
                    const Flash1Scratch& scratch);

}  // namespace oa::attention
