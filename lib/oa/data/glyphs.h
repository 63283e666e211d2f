#pragma once

#include <span>
#include <vector>

namespace oa {

/// A place on the page: x to the right, y downwards.
struct Point {
  double x = 0.0;
  double y = 0.0;
};

/// The points that a pen passes through, in order.  A stroke has no corners.
using Stroke = std::vector<Point>;

/// One way of writing a digit.  At a corner one stroke ends and the next begins.
using Glyph = std::vector<Stroke>;

/// The box in which glyphs are drawn, and which most of them fill.
inline constexpr Point kGlyphBox = {64.0, 100.0};

/// The ways of writing digit `label` (0 to 9).
[[nodiscard]] std::span<const Glyph> glyphs(int label);

}  // namespace oa
