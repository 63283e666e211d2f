#pragma once

#include "oa/attention/kernel/fused/fused.h"

#include <span>

namespace oa::attention {

/// Memory for flash1_forward: that of fused_forward, and two numbers a head and query.
class Flash1Scratch {
 public:
  Flash1Scratch(const HeadsShape& shape,
                const FusedPlan& plan,
                int threads,
                Arena& arena);

  [[nodiscard]] const FusedScratch& fused() const { return fused_; }
  [[nodiscard]] std::span<float> minus_reference() const { return minus_reference_; }
  [[nodiscard]] std::span<float> sums() const { return sums_; }

 private:
  FusedScratch fused_;
  std::span<float> minus_reference_;
  std::span<float> sums_;
};

/// The same as fused_forward in the order of the first FlashAttention, for comparison:
/// blocks of keys outside, tiles of queries inside, so that outputs are read, written
/// and divided by their sums once a block:
///   o <- (l o + P v) / l'
/// Outputs move 2 n d keys / plan.keys floats a head more than in fused_forward.
void flash1_forward(const HeadsView& heads,
                    const Pattern& pattern,
                    num::View o,
                    num::View log_sums,
                    const Flash1Scratch& scratch);

}  // namespace oa::attention
