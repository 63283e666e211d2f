#pragma once

#include "oa/num/matrix.h"

#include <cstdint>

namespace oa::attention {

/// The precision of queries, keys and values; weights and sums are always floats.
/// Bf16 rounds all to the nearest bfloat16 (relative error of outputs: 3e-3).  Int8 has
/// bfloat16 values, and queries and keys as 8-bit integers with a factor for each row
/// of a head (1e-2).  Errors are root mean squares for normal data of width 64.
enum class Precision : std::uint8_t { Float, Bf16, Int8 };

/// Rounds queries, keys and values in place.
void round_heads(
    Precision precision, int head_width, num::View q, num::View k, num::View v);

}  // namespace oa::attention
