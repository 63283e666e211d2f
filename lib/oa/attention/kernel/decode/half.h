#pragma once

#include <cstdint>
#include <span>

namespace oa::attention {

/// to[i] = from[i], rounded to half precision (IEEE binary16, as
/// bits).  Beyond 65504 it is infinite.
void to_half(std::span<const float> from, std::span<std::uint16_t> to);

}  // namespace oa::attention
