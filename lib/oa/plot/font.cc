#include "oa/plot/font.h"

#include "oa/base/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace oa::plot {
namespace {

constexpr double kEm = 20.0;      // table units per font size
constexpr double kSpacing = 3.4;  // distance between glyphs
constexpr double kPen = 1.5;      // width of a stroke
constexpr double kBoldPen = 2.4;

/// A glyph as strokes, separated by ';'.  A stroke is a list of points "x,y" and arcs
/// "@x,y,a,b,from,to": part of an ellipse with centre x,y and half axes a,b,
/// between two angles in degrees.  A single point is a dot.
/// Capitals are 14 high, small letters 10; descenders reach -4.
struct Drawn {
  char32_t sign;
  double width;
  std::string_view strokes;
};

constexpr auto kGlyphs = std::to_array<Drawn>({
    {' ', 2.4, ""},
    {'!', 0, "0,14 0,4.6;0,0"},
    {'"', 3, "0,14 0,10;3,14 3,10"},
    {'#', 10, "2,0 4,14;6.4,0 8.4,14;0.6,9.4 10,9.4;0,4.6 9.4,4.6"},
    {'$', 8.6, "@4.3,10.5,3.8,3.5,35,270 @4.3,3.5,4.2,3.5,90,-150;4.3,16 4.3,-2"},
    {'%', 12, "@2.6,11,2.6,3,0,360;10.6,14 1.4,0;@9.4,3,2.6,3,0,360"},
    {'&',
     10,
     "10,0 2.7,9.2 @4.8,11.3,2.6,2.7,218,-45 2,6.4 @4,3.7,3.9,3.7,140,325 10,6"},
    {'\'', 0, "0,14 0,10"},
    {'(', 3.2, "@6.5,6,6.5,11,122,238"},
    {')', 3.2, "@-3.3,6,6.5,11,58,-58"},
    {'*', 6, "3,14 3,8;0.4,12.5 5.6,9.5;0.4,9.5 5.6,12.5"},
    {'+', 8, "4,9 4,1;0,5 8,5"},
    {',', 1, "1,0.3 0,-2.8"},
    {'-', 5, "0,5 5,5"},
    {'.', 0, "0,0"},
    {'/', 6, "6,15 0,-1.5"},
    {'0', 8.4, "@4.2,7,4.2,7,0,360"},
    {'1', 8.4, "1.2,11.2 5,14 5,0"},
    {'2', 8.4, "@4.2,10,4,4,165,-28 0.2,0 8.4,0"},
    {'3', 8.4, "@4,10.5,3.6,3.5,150,-90 @4,3.5,4.2,3.5,90,-150"},
    {'4', 8.4, "6.6,0 6.6,14 0,4 8.6,4"},
    {'5', 8.4, "7.4,14 1.4,14 0.8,7.6 @4,4.5,4.2,4.5,138,-150"},
    {'6', 8.4, "@4.2,4.4,4.2,4.4,0,360;@7,4.4,7,9.6,180,94"},
    {'7', 8.4, "0.2,14 8.2,14 2.8,0"},
    {'8', 8.4, "@4.2,10.6,3.5,3.4,0,360;@4.2,3.6,4.2,3.6,0,360"},
    {'9', 8.4, "@4.2,9.6,4.2,4.4,0,360;@1.4,9.6,7,9.6,0,-86"},
    {':', 0, "0,0;0,8"},
    {';', 1, "0.6,8;1,0.3 0,-2.8"},
    {'<', 7, "7,9 0,5 7,1"},
    {'=', 8, "0,7 8,7;0,3 8,3"},
    {'>', 7, "0,9 7,5 0,1"},
    {'?', 7, "@3.5,10.5,3.5,3.5,165,-50 3.6,5.8 3.6,4.4;3.6,0"},
    {'@',
     13,
     "@6.3,5.2,2.9,3.1,0,360;9.2,8.3 9.2,3.9 @11,3.9,1.8,1.7,180,350 "
     "@6.4,5.2,6.4,7.3,-6,310"},
    {'A', 10.4, "0,0 5.2,14 10.4,0;1.9,5 8.5,5"},
    {'B',
     9,
     "0,0 0,14 4.6,14 @4.6,10.6,3.5,3.4,90,-90 0,7.2;4.6,7.2 @5,3.6,4,3.6,90,-90 0,0"},
    {'C', 10.2, "@6.2,7,6.2,7,50,310"},
    {'D', 10.2, "0,0 0,14 3.8,14 @3.8,7,6.4,7,90,-90 0,0"},
    {'E', 7.8, "7.8,14 0,14 0,0 7.8,0;0,7.2 6.8,7.2"},
    {'F', 7.4, "7.4,14 0,14 0,0;0,7 6.4,7"},
    {'G', 11.6, "@6.2,7,6.2,7,50,332 11.7,6.6 7,6.6"},
    {'H', 9.6, "0,0 0,14;9.6,0 9.6,14;0,7.2 9.6,7.2"},
    {'I', 0, "0,0 0,14"},
    {'J', 6, "6,14 6,3.4 @3,3.4,3,3.4,0,-165"},
    {'K', 9, "0,0 0,14;8.8,14 0,5.2;3.3,8.5 9.2,0"},
    {'L', 7.4, "0,14 0,0 7.4,0"},
    {'M', 11.6, "0,0 0,14 5.8,4.4 11.6,14 11.6,0"},
    {'N', 9.8, "0,0 0,14 9.8,0 9.8,14"},
    {'O', 12.4, "@6.2,7,6.2,7,0,360"},
    {'P', 8.6, "0,0 0,14 4.6,14 @4.6,10.1,4,3.9,90,-90 0,6.2"},
    {'Q', 12.4, "@6.2,7,6.2,7,0,360;7.6,3.8 12,-0.8"},
    {'R', 8.8, "0,0 0,14 4.6,14 @4.6,10.1,4,3.9,90,-90 0,6.2;4.6,6.2 9,0"},
    {'S', 8.6, "@4.3,10.5,3.8,3.5,35,270 @4.3,3.5,4.2,3.5,90,-150"},
    {'T', 10, "0,14 10,14;5,14 5,0"},
    {'U', 9.6, "0,14 0,4.8 @4.8,4.8,4.8,4.8,180,360 9.6,14"},
    {'V', 10, "0,14 5,0 10,14"},
    {'W', 14.8, "0,14 3.7,0 7.4,12.6 11.1,0 14.8,14"},
    {'X', 9.6, "0,14 9.6,0;9.6,14 0,0"},
    {'Y', 9.6, "0,14 4.8,7 9.6,14;4.8,7 4.8,0"},
    {'Z', 9, "0,14 9,14 0,0 9,0"},
    {'[', 3, "3,15.5 0,15.5 0,-2.5 3,-2.5"},
    {'\\', 6, "0,15 6,-1.5"},
    {']', 3, "0,15.5 3,15.5 3,-2.5 0,-2.5"},
    {'^', 7, "0,9 3.5,14 7,9"},
    {'_', 8, "0,-2.5 8,-2.5"},
    {'`', 2.4, "0,14 2.4,11.6"},
    {'a', 7.8, "@3.9,5,3.9,5,0,360;7.8,10 7.8,0"},
    {'b', 7.8, "0,14 0,0;@3.9,5,3.9,5,0,360"},
    {'c', 6.8, "@4,5,4,5,46,314"},
    {'d', 7.8, "@3.9,5,3.9,5,0,360;7.8,14 7.8,0"},
    {'e', 7.8, "0.1,5.2 7.8,5.2 @3.9,5,3.9,5,2,318"},
    {'f', 4.6, "@4.6,10.8,2.8,3.2,80,180 1.8,0;0,9.6 4.6,9.6"},
    {'g', 7.8, "@3.9,5,3.9,5,0,360;7.8,10 7.8,-0.6 @4,-0.6,3.8,3.6,0,-155"},
    {'h', 7.2, "0,14 0,0;0,6.2 @3.6,6.2,3.6,3.8,180,0 7.2,0"},
    {'i', 0, "0,10 0,0;0,13.6"},
    {'j', 2, "2,10 2,-1.6 @-0.2,-1.6,2.2,2.4,0,-95;2,13.6"},
    {'k', 7, "0,14 0,0;6.6,10 0,3.8;2.4,6.1 7,0"},
    {'l', 0, "0,14 0,0"},
    {'m',
     11.6,
     "0,10 0,0;0,6.9 @2.9,6.9,2.9,3.1,180,0 5.8,0;5.8,6.9 @8.7,6.9,2.9,3.1,180,0 "
     "11.6,0"},
    {'n', 7.2, "0,10 0,0;0,6.2 @3.6,6.2,3.6,3.8,180,0 7.2,0"},
    {'o', 8, "@4,5,4,5,0,360"},
    {'p', 7.8, "0,10 0,-4;@3.9,5,3.9,5,0,360"},
    {'q', 7.8, "@3.9,5,3.9,5,0,360;7.8,10 7.8,-4"},
    {'r', 4, "0,10 0,0;0,6 @4,6,4,4,180,86"},
    {'s', 6.6, "@3.3,7.5,2.9,2.5,35,270 @3.3,2.5,3.2,2.5,90,-150"},
    {'t', 4.6, "1.8,13 1.8,3 @4.6,3,2.8,3,180,270;0,9.6 4.6,9.6"},
    {'u', 7.2, "0,10 0,3.8 @3.6,3.8,3.6,3.8,180,360;7.2,10 7.2,0"},
    {'v', 7.6, "0,10 3.8,0 7.6,10"},
    {'w', 11.2, "0,10 2.8,0 5.6,9.4 8.4,0 11.2,10"},
    {'x', 7.2, "0,10 7.2,0;7.2,10 0,0"},
    {'y', 7.8, "0,10 3.9,0;7.8,10 2.4,-4"},
    {'z', 6.8, "0,10 6.8,10 0,0 6.8,0"},
    {'{', 4, "4,15.5 2,14 2,8 0,6.5 2,5 2,-1 4,-2.5"},
    {'|', 0, "0,15.5 0,-3"},
    {'}', 4, "0,15.5 2,14 2,8 4,6.5 2,5 2,-1 0,-2.5"},
    {'~', 8, "0,4.4 2,6 6,4 8,5.6"},
    {0x00B1, 8, "4,10 4,3;0,6.5 8,6.5;0,0 8,0"},  // plus-minus
    {0x00B5, 7.2, "0,10 0,-4;0,3.8 @3.6,3.8,3.6,3.8,180,360;7.2,10 7.2,0"},  // micro
    {0x00B7, 0, "0,5.4"},                            // middle dot
    {0x00D7, 7, "0.5,8.5 6.5,2.5;0.5,2.5 6.5,8.5"},  // times
    {0x0394, 10.4, "0,0 5.2,13.6 10.4,0 0,0"},       // Delta
    {0x03BB, 7.4, "0.8,14 1.9,14 7.4,0;4.2,8 0,0"},  // lambda
    {0x2013, 7, "0,5 7,5"},                          // en dash
    {0x2026, 8, "0,0;4,0;8,0"},                      // ellipsis
    {0x2212, 8, "0,5 8,5"},                          // minus
    {kReplacement, 8, "0,0 0,14 8,14 8,0 0,0"},
});

static_assert(std::ranges::is_sorted(kGlyphs, {}, &Drawn::sign));

const Drawn& drawn(char32_t sign) {
  const auto* found = std::ranges::lower_bound(kGlyphs, sign, {}, &Drawn::sign);
  return found != kGlyphs.end() && found->sign == sign ? *found : kGlyphs.back();
}

struct SignRange {
  char32_t first;
  char32_t last;
};

// Blocks of EastAsianWidth.txt (Unicode 15) with only wide characters.
constexpr auto kWideBlocks = std::to_array<SignRange>({{0x1100, 0x115F},
                                                       {0x2E80, 0x303E},
                                                       {0x3041, 0xA4CF},
                                                       {0xA960, 0xA97C},
                                                       {0xAC00, 0xD7A3},
                                                       {0xF900, 0xFAFF},
                                                       {0xFE30, 0xFE6F},
                                                       {0xFF01, 0xFF60},
                                                       {0xFFE0, 0xFFE6},
                                                       {0x1F300, 0x1F64F},
                                                       {0x1F900, 0x1F9FF},
                                                       {0x20000, 0x3FFFD}});

/// Reads the next number of `strokes`, after its separator.
double number(std::string_view& strokes) {
  if (strokes.front() == ' ' || strokes.front() == ',' || strokes.front() == '@') {
    strokes.remove_prefix(1);
  }
  double value = 0.0;
  const auto [end, error] =
      std::from_chars(strokes.data(), strokes.data() + strokes.size(), value);
  strokes.remove_prefix(static_cast<std::size_t>(end - strokes.data()));
  return value;
}

using Stroke = std::vector<Point>;

void add_arc(std::string_view& strokes, Stroke& stroke) {
  constexpr double kStep = 15.0;  // degrees per point; the error is 0.05 units
  const double x = number(strokes);
  const double y = number(strokes);
  const double a = number(strokes);
  const double b = number(strokes);
  const double from = number(strokes);
  const double to = number(strokes);
  const int steps =
      std::max(1, static_cast<int>(std::ceil(std::abs(to - from) / kStep)));
  for (int i = 0; i <= steps; ++i) {
    const double angle =
        std::lerp(from, to, static_cast<double>(i) / steps) * std::numbers::pi / 180.0;
    stroke.push_back({x + a * std::cos(angle), y + b * std::sin(angle)});
  }
}

std::vector<Stroke> strokes_of(std::string_view text) {
  std::vector<Stroke> strokes;
  if (!text.empty()) {
    strokes.emplace_back();
  }
  while (!text.empty()) {
    if (text.front() == ';') {
      text.remove_prefix(1);
      strokes.emplace_back();
    } else if (text.front() == '@' || text.starts_with(" @")) {
      text.remove_prefix(text.front() == ' ' ? 1 : 0);
      add_arc(text, strokes.back());
    } else {
      const double x = number(text);
      strokes.back().push_back({x, number(text)});
    }
  }
  return strokes;
}

Point operator+(Point a, Point b) {
  return {a.x + b.x, a.y + b.y};
}
Point operator-(Point a, Point b) {
  return {a.x - b.x, a.y - b.y};
}
Point operator*(double s, Point a) {
  return {s * a.x, s * a.y};
}

/// Returns the unit vector at right angles to b - a, on its left.
Point normal(Point a, Point b) {
  const Point d = b - a;
  const double length = std::hypot(d.x, d.y);
  return {-d.y / length, d.x / length};
}

/// Adds points of a circle around `centre`,
/// clockwise by the angle `turn` from direction `from`.
void add_round(Point centre, Point from, double turn, double r, Stroke& contour) {
  constexpr double kStep = std::numbers::pi / 6.0;
  const int steps = std::max(1, static_cast<int>(std::ceil(turn / kStep)));
  for (int i = 0; i <= steps; ++i) {
    const double angle = -turn * i / steps;
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    contour.push_back(centre +
                      r * Point{c * from.x - s * from.y, s * from.x + c * from.y});
  }
}

/// Adds the left side of a stroke at corner b; `before`, `after`: normals of its lines.
void add_corner(Point b, Point before, Point after, double r, Stroke& contour) {
  const double sine = before.x * after.y - before.y * after.x;
  const double cosine = before.x * after.x + before.y * after.y;
  if (cosine > 0.9) {  // a point of a curve
    contour.push_back(b + (r / (1.0 + cosine)) * (before + after));
  } else if (sine < 0.0) {  // the outer side of a corner
    add_round(b, before, std::acos(std::clamp(cosine, -1.0, 1.0)), r, contour);
  } else {  // the inner side: through b, so that windings agree
    contour.push_back(b + r * before);
    contour.push_back(b);
    contour.push_back(b + r * after);
  }
}

/// Adds the left side of `stroke` except its ends.
void add_side(const Stroke& stroke, double r, Stroke& contour) {
  for (std::size_t i = 1; i + 1 < stroke.size(); ++i) {
    add_corner(stroke[i],
               normal(stroke[i - 1], stroke[i]),
               normal(stroke[i], stroke[i + 1]),
               r,
               contour);
  }
}

void without_repeats(Stroke& stroke) {
  const auto same = [](Point a, Point b) {
    return std::abs(a.x - b.x) + std::abs(a.y - b.y) < 1e-6;
  };
  stroke.erase(std::unique(stroke.begin(), stroke.end(), same), stroke.end());
}

/// Adds the outline of the area painted by a pen of radius r.
void add_outline(Stroke stroke, double r, std::vector<Stroke>& contours) {
  without_repeats(stroke);
  Stroke contour;
  if (stroke.size() == 1) {
    add_round(stroke[0], {0.0, 1.0}, 2.0 * std::numbers::pi, 1.25 * r, contour);
    contours.push_back(std::move(contour));
    return;
  }
  Stroke back(stroke.rbegin(), stroke.rend());
  add_side(stroke, r, contour);
  add_round(stroke.back(),
            normal(stroke[stroke.size() - 2], stroke.back()),
            std::numbers::pi,
            r,
            contour);
  add_side(back, r, contour);
  add_round(back.back(),
            normal(back[back.size() - 2], back.back()),
            std::numbers::pi,
            r,
            contour);
  contours.push_back(std::move(contour));
}

}  // namespace

bool has_glyph(char32_t sign) {
  return sign == kReplacement || drawn(sign).sign == sign;
}

bool is_wide(char32_t sign) {
  return std::ranges::any_of(kWideBlocks, [&](SignRange range) {
    return range.first <= sign && sign <= range.last;
  });
}

int columns_of(std::string_view text) {
  int columns = 0;
  for (const char32_t sign : code_points(text)) {
    columns += is_wide(sign) ? 2 : 1;
  }
  return columns;
}

double advance(char32_t sign) {
  return is_wide(sign) ? 1.0 : (drawn(sign).width + kSpacing) / kEm;
}

std::vector<std::vector<Point>> glyph(char32_t sign, bool bold) {
  std::vector<Stroke> contours;
  for (Stroke& stroke : strokes_of(drawn(sign).strokes)) {
    add_outline(std::move(stroke), 0.5 * (bold ? kBoldPen : kPen), contours);
  }
  for (Stroke& contour : contours) {
    for (Point& p : contour) {
      p = {(p.x + 0.5 * kSpacing) / kEm, p.y / kEm};
    }
  }
  return contours;
}

double text_width(std::string_view text, double size) {
  double width = 0.0;
  for (const char32_t sign : code_points(text)) {
    width += advance(sign);
  }
  return width * size;
}

}  // namespace oa::plot
