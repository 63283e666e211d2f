#pragma once

#include "oa/base/rng.h"
#include "oa/data/dataset.h"

#include <cstdint>
#include <span>

namespace oa {

/// Rows, and columns, of a built-in digit.
inline constexpr int kDigitSide = 28;

/// Draws digit `label` (0 to 9) as handwriting, white on black: one of several shapes,
/// bent, slanted, scaled, rotated and shifted, drawn by a pen of random width that may
/// leave a gap.  `pixels` has kDigitSide^2 entries.  The result depends only on (label,
/// rng): all machines give equal bytes, because IEEE 754 defines + - * / and square
/// roots exactly.  Takes about 20 us.
void draw_digit(int label, Rng rng, std::span<std::uint8_t> pixels);

/// Draws images first, ..., first + count - 1 of an endless split, with uniformly
/// random labels.  Image i depends only on (seed, split, i), so ranges can be drawn
/// separately.  Splits share no random numbers.
[[nodiscard]] Dataset digits(std::uint64_t seed, Split split, int first, int count);

}  // namespace oa
