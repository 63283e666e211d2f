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

/// The colour of series k: those of M.  Okabe and K.  Ito (2008), which colour-blind
/// people can distinguish, without the yellow, which is hard to see on paper.  Then the
/// same darker, then lighter; then they repeat.
[[nodiscard]] Color series_color(int k);

/// A colour from kNotChosen (0) to kChosen (1) through red, in even steps of lightness
/// (Oklab, B.  Ottosson 2020), so that it is readable in grey.
[[nodiscard]] Color share_color(double share);

/// The mixture with a share of b, interpolated in sRGB.
[[nodiscard]] Color mix(Color a, Color b, double share);

}  // namespace oa::plot
