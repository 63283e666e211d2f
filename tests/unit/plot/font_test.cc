#include "oa/plot/font.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace oa;

namespace {

/// The signed area of a contour: its sign is the direction of its winding.
double area(const std::vector<plot::Point>& contour) {
  double sum = 0.0;
  for (std::size_t i = 0; i < contour.size(); ++i) {
    const plot::Point a = contour[i];
    const plot::Point b = contour[(i + 1) % contour.size()];
    sum += a.x * b.y - b.x * a.y;
  }
  return 0.5 * sum;
}

}  // namespace

TEST_SUITE_BEGIN("plot");

TEST_CASE("every ASCII sign has a glyph of its own, within its line") {
  const auto missing = plot::glyph(0xFFFD, false);
  for (char32_t sign = '!'; sign <= '~'; ++sign) {
    CAPTURE(static_cast<int>(sign));
    for (const bool bold : {false, true}) {
      const auto contours = plot::glyph(sign, bold);
      REQUIRE(!contours.empty());
      double right = 0.0;
      for (const auto& contour : contours) {
        for (const plot::Point p : contour) {
          CHECK(p.x > -0.05);
          CHECK(p.x < plot::advance(sign) + 0.05);
          CHECK(p.y > -0.3);
          CHECK(p.y < 0.9);
          right = std::max(right, p.x);
        }
      }
      CHECK(right > 0.0);
    }
    const auto regular = plot::glyph(sign, false);
    CHECK((regular.size() != missing.size() || regular[0].size() != missing[0].size() ||
           regular[0][0].x != missing[0][0].x));
  }
  CHECK(plot::glyph(' ', false).empty());
}

TEST_CASE("all contours wind the same way, so that strokes that cross make one area") {
  for (char32_t sign = '!'; sign <= '~'; ++sign) {
    CAPTURE(static_cast<int>(sign));
    for (const auto& contour : plot::glyph(sign, false)) {
      CHECK(area(contour) < 0.0);
    }
  }
}

TEST_CASE("a sign that the font lacks is drawn as the missing sign, with its width") {
  CHECK_FALSE(plot::has_glyph(0x416));
  CHECK(plot::advance(0x416) == plot::advance(0xFFFD));
  CHECK(plot::text_width("\xD0\x96", 10.0) == 10.0 * plot::advance(0xFFFD));
  CHECK(plot::text_width("", 10.0) == 0.0);
  CHECK(plot::text_width("ab", 20.0) > plot::text_width("a", 20.0));
}

TEST_CASE("Chinese signs are as wide as they are high, and two columns") {
  CHECK(plot::text_width("\xE4\xB8\xAD", 10.0) == 10.0);
  CHECK(plot::columns_of("a\xE4\xB8\xAD\xC3\x97") == 4);
}

TEST_SUITE_END();
