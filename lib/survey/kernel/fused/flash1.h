#pragma once

#include "survey/kernel/fused/fused.h"

#include <span>

namespace oa::attention {

/// Returns memory for the sums of each head and query between two blocks of keys.
[[nodiscard]] std::span<RowSum> flash1_sums(const HeadsShape& shape, Arena& arena);

/// Computes fused_forward() in the order of the first FlashAttention, for comparison.
/// The outer loop is over blocks of keys.
/// So each block reads outputs, writes outputs and divides them by their sums l:
///   o <- (l o + P v) / l'
/// Moves 2 n d keys / plan.keys floats a head more than fused_forward().
void flash1_forward(const HeadsView& heads,
                    const Pattern& pattern,
                    num::View o,
                    num::View log_sums,
                    const FusedScratch& scratch,
                    std::span<RowSum> all_sums);

}  // namespace oa::attention
