#include "oa/attention/kernel/half.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace oa::attention {
namespace {

// Rounds to nearest, ties to even.  Highway truncates on processors without such an
// instruction, but a cache must not depend on the instruction set.
std::uint16_t half_bits(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = bits >> 16 & 0x8000;
  const std::uint32_t size = bits & 0x7FFFFFFF;
  std::uint32_t half = 0;
  if (size > 0x7F800000) {
    half = 0x7E00;  // NaN
  } else if (size >= 0x47800000) {
    half = 0x7C00;  // from 65536 on: infinity
  } else if (size < 0x38800000) {
    // Halves below 2^-14 are multiples of 2^-24, as are floats from 1/2 to 1.
    half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5F) - 0x3F000000;
  } else {
    half = (size - 0x38000000 + 0xFFF + (size >> 13 & 1)) >> 13;
  }
  return static_cast<std::uint16_t>(sign | half);
}

}  // namespace

void to_half(std::span<const float> from, std::span<std::uint16_t> to) {
  assert(from.size() == to.size());
  std::ranges::transform(from, to.begin(), half_bits);
}

}  // namespace oa::attention
