#pragma once

#include "oa/base/rng.h"
#include "oa/data/dataset.h"

#include <cstdint>
#include <span>

namespace oa {

/// Rows and columns of a built-in digit.
inline constexpr int kDigitSide = 28;

/// Draws digit `label` (0 to 9) like handwriting, white on black: one of several
/// shapes, bent, slanted, scaled, rotated and shifted, with a pen of random width that
/// may leave a gap.  `pixels` has kDigitSide^2 entries.  A pure function of (label,
/// rng) with the same bytes on every machine, because IEEE 754 defines + - * / and
/// square roots exactly.  About 20 us.
void draw_digit(int label, Rng rng, std::span<std::uint8_t> pixels);

/// Images first, ..., first + count - 1 of an endless split, with uniformly random
/// labels.  Image i is a pure function of (seed, split, i), so ranges can be drawn
/// separately.  The splits share no random numbers.
[[nodiscard]] Dataset digits(std::uint64_t seed, Split split, int first, int count);

}  // namespace oa
