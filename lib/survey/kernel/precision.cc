#include "survey/kernel/precision.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace oa::attention {
namespace {

/// Rounds to the nearest bfloat16; ties to even.
float to_bfloat16(float x) {
  if (std::isnan(x)) {
    return x;
  }
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = bits + 0x7FFFU + (bits >> 16U & 1U);
  return std::bit_cast<float>(rounded & 0xFFFF0000U);
}

void round_to_bfloat16(num::View x) {
  for (int i = 0; i < x.rows; ++i) {
    std::transform(x.row(i), x.row(i) + x.cols, x.row(i), &to_bfloat16);
  }
}

/// Rounds to multiples of (largest magnitude / 127); NaN if any number is not finite.
void round_to_steps(std::span<float> row) {
  float largest = 0.0F;
  bool finite = true;
  for (const float x : row) {
    largest = std::max(largest, std::abs(x));
    finite = finite && std::isfinite(x);
  }
  const float step = finite ? largest / 127.0F : std::nanf("");
  for (float& x : row) {
    x = step == 0.0F ? 0.0F : std::nearbyint(x / step) * step;
  }
}

void round_to_8_bits(int head_width, num::View x) {
  const auto width = static_cast<std::size_t>(head_width);
  for (int i = 0; i < x.rows; ++i) {
    for (int first = 0; first < x.cols; first += head_width) {
      round_to_steps({x.row(i) + first, width});
    }
  }
}

}  // namespace

void round_heads(
    Precision precision, int head_width, num::View q, num::View k, num::View v) {
  if (precision == Precision::Float) {
    return;
  }
  if (precision == Precision::Bf16) {
    round_to_bfloat16(q);
    round_to_bfloat16(k);
  } else {
    round_to_8_bits(head_width, q);
    round_to_8_bits(head_width, k);
  }
  round_to_bfloat16(v);
}

}  // namespace oa::attention
