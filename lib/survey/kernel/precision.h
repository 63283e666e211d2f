#pragma once

#include "oa/num/matrix.h"

#include <cstdint>

namespace oa::attention {

/// The precision of queries, keys and values; weights and sums are always floats. Bf16:
/// all are bfloat16, rounded to nearest.  Int8: queries and keys are integers of 8 bits
/// with a factor for each row of a head, values are bfloat16.  Relative errors of
/// outputs (root mean square, normal data of width 64): 3e-3 and 1e-2.
enum class Precision : std::uint8_t { Float, Bf16, Int8 };

/// Rounds queries, keys and values in place.
void round_heads(
    Precision precision, int head_width, num::View q, num::View k, num::View v);

}  // namespace oa::attention
