#pragma once

#include "oa/attention/kernel/fused/tile.h"

#include <cstdint>

namespace oa::attention {

// Fused attention in Bf16 and Int8; only if bf16_here().  A word of 4 bytes holds two
// bfloat16 or four integers.  Words of keys and queries hold neighbours of a row, words
// of values hold two keys.

/// Words of a row of queries, and of a packed key.
[[nodiscard]] int bf16_query_words(Precision precision, int width);
[[nodiscard]] int bf16_key_words(Precision precision, int width);

/// Packs keys and values first .. first+panel-1; zeros after the last.
void prepare_bf16_panel(Precision precision,
                        const HeadRows& k,
                        const HeadRows& v,
                        int first,
                        int panel,
                        const PackedPanel& to);

void run_bf16_tile(Precision precision, const FusedTile& tile);

}  // namespace oa::attention
