#pragma once

#include "oa/plot/scene.h"

#include <string_view>
#include <vector>

namespace oa::plot {

/// The font of all pictures, drawn for this project: strokes of one width with round
/// ends, for ASCII and a few signs.  It is part of the program so that a picture does
/// not depend on the fonts of a machine.
///
/// In units of the font size, x from the origin of the glyph, y up from the baseline;
/// capitals are 0.7 high.

/// The distance to the next glyph; that of U+FFFD if the font lacks the sign.
[[nodiscard]] double advance(char32_t sign);

/// The contours of a glyph, to be filled by the nonzero rule.
[[nodiscard]] std::vector<std::vector<Point>> glyph(char32_t sign, bool bold);

[[nodiscard]] double text_width(std::string_view text, double size);

/// The code points of UTF-8 text; U+FFFD for what is not UTF-8.
[[nodiscard]] std::u32string code_points(std::string_view text);

}  // namespace oa::plot
