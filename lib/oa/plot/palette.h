#pragma once

#include "oa/plot/scene.h"

namespace oa::plot {

// The colours of all figures.

inline constexpr Color kPaper{0xFF, 0xFF, 0xFF};
inline constexpr Color kInk{0x22, 0x22, 0x22};
inline constexpr Color kGray{0x66, 0x66, 0x66};
inline constexpr Color kFaint{0xDD, 0xDD, 0xDD};

// Two colours, from the reference's heatmap.
inline constexpr Color kNotChosen{0x24, 0x19, 0x42};
inline constexpr Color kChosen{0xE4, 0x9F, 0x1B};

/// The colour of series k, as proposed by Okabe and Ito (2008) for colour-blind
/// readers, except yellow, which paper hides.
/// Later series use darker, then lighter versions; then colours repeat.
[[nodiscard]] Color series_color(int k);

/// A colour from kNotChosen (0) through red to kChosen (1), in equal steps of lightness
/// (Oklab, B. Ottosson 2020), so that grey prints are readable.
[[nodiscard]] Color share_color(double share);

/// Mixes a and b, with share `share` of b, in sRGB.
[[nodiscard]] Color mix(Color a, Color b, double share);

}  // namespace oa::plot
