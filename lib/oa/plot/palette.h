#pragma once

#include "oa/plot/scene.h"

namespace oa::plot {

// The colours of all pictures.

inline constexpr Color kPaper{0xFF, 0xFF, 0xFF};
inline constexpr Color kInk{0x22, 0x22, 0x22};
inline constexpr Color kGray{0x66, 0x66, 0x66};
inline constexpr Color kFaint{0xDD, 0xDD, 0xDD};

// The two colours of the reference's heatmap.
inline constexpr Color kNotChosen{0x24, 0x19, 0x42};
inline constexpr Color kChosen{0xE4, 0x9F, 0x1B};

/// The colour of series k: those of M. Okabe and K. Ito (2008), which colour-blind
/// people can tell apart, without the yellow, which is hard to see on paper.  After the
/// last come the same darker, then lighter; then they repeat.
[[nodiscard]] Color series_color(int k);

/// A share from 0 to 1 as a colour from kNotChosen to kChosen by way of a red, in even
/// steps of lightness (of Oklab, B. Ottosson 2020), so that it also reads in grey.
[[nodiscard]] Color share_color(double share);

/// The colour at `share` of the way from a to b, in the numbers of sRGB.
[[nodiscard]] Color mix(Color a, Color b, double share);

}  // namespace oa::plot
