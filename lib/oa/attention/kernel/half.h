#pragma once

#include <cstdint>
#include <span>

namespace oa::attention {

/// Rows of half precision (IEEE binary16, as bits): a cache of half the size.
struct HalfView {
  const std::uint16_t* data = nullptr;
  int rows = 0;
  int cols = 0;
  int stride = 0;
};

/// to[i] = from[i], rounded to half precision.  Beyond 65504 it is infinite.
void to_half(std::span<const float> from, std::span<std::uint16_t> to);

}  // namespace oa::attention
