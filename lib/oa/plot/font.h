#pragma once

#include "oa/plot/scene.h"

#include <string_view>
#include <vector>

namespace oa::plot {

/// The font of all pictures, drawn for this project:
/// strokes of equal width with round ends, for ASCII and some more characters.
/// The font is built in, so that pictures do not depend on the fonts of a machine.
///
/// Lengths are in units of the font size:
/// x from the glyph's origin, y up from the baseline; capitals are 0.7 high.

[[nodiscard]] bool has_glyph(char32_t sign);

/// The distance to the next glyph.  For characters that the font lacks:
/// 1 for wide characters, else the distance of U+FFFD.
[[nodiscard]] double advance(char32_t sign);

/// The contours of a glyph, to be filled by the nonzero winding rule.
[[nodiscard]] std::vector<std::vector<Point>> glyph(char32_t sign, bool bold);

[[nodiscard]] double text_width(std::string_view text, double size);

/// True if a terminal shows `sign` in two columns: Chinese, Japanese and Korean.
[[nodiscard]] bool is_wide(char32_t sign);

/// The number of terminal columns of a text.
[[nodiscard]] int columns_of(std::string_view text);

}  // namespace oa::plot
