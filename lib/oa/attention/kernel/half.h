#pragma once

#include <cstdint>
#include <span>

namespace oa::attention {

/// to[i] = from[i], rounded to half precision (bits of IEEE binary16);
/// infinite beyond 65504.
void to_half(std::span<const float> from, std::span<std::uint16_t> to);

}  // namespace oa::attention
