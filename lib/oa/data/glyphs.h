#pragma once

#include <span>
#include <vector>

namespace oa {

/// A point: x to the right, y downwards.
struct Point {
  double x = 0.0;
  double y = 0.0;
};

/// The points of a pen stroke in order.  A stroke has no corners.
using Stroke = std::vector<Point>;

/// A shape of a digit.  A corner ends one stroke and begins the next.
using Glyph = std::vector<Stroke>;

/// The size of a glyph's box.
inline constexpr Point kGlyphBox = {64.0, 100.0};

/// The shapes of digit `label` (0 to 9).
[[nodiscard]] std::span<const Glyph> glyphs(int label);

}  // namespace oa
