#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace oa::plot {

/// A drawing as a value: shapes and texts with positions, in units of 1/96 inch; x to
/// the right, y down.  Figures make scenes, which io/picture and plot/terminal render.
/// So pictures agree in all formats, and tests can count items.
///
/// Figures align with a grid of 8 units where possible:
/// a terminal's column is 8 units wide, and a row 16 units high.

struct Point {
  double x = 0.0;
  double y = 0.0;
};

struct Color {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  bool operator==(const Color&) const = default;
};

enum class Align { Left, Center, Right };

/// A filled polygon.
struct Area {
  std::vector<Point> outline;
  Color color;
  /// A terminal without colour fills the area if `ink` is at least 0.5.
  double ink = 1.0;
  /// The colour's share when it is mixed with the paper's colour.
  double opacity = 1.0;
};

/// A line through points.
struct Line {
  std::vector<Point> points;
  Color color;
  double width = 1.0;
  bool dashed = false;
  /// A helper line, which terminals omit.
  bool fine = false;
};

/// A line of UTF-8 text in the built-in font (plot/font.h).
struct Text {
  Point at;  ///< on the baseline: left end, middle or right end
  std::string text;
  double size = 12.0;
  Align align = Align::Left;
  Color color;
  bool bold = false;
  bool fine = false;
};

using Item = std::variant<Area, Line, Text>;

struct Scene {
  double width = 0.0;
  double height = 0.0;
  std::string title;        ///< one sentence that describes the figure
  std::vector<Item> items;  ///< later items cover earlier ones
  /// Colours of the runs, in order:
  /// without colours, a terminal draws a letter for each run.
  std::vector<Color> runs;

  /// Changes the title, also in the drawing.
  void retitle(const std::string& words);

  void area(std::vector<Point> outline,
            Color color,
            double ink = 1.0,
            double opacity = 1.0);
  void rectangle(Point corner,
                 double w,
                 double h,
                 Color color,
                 double ink = 1.0,
                 double opacity = 1.0);
  void line(std::vector<Point> points, Color color, double line_width = 1.0);
  /// Adds a helper line, which terminals omit.
  void fine_line(Point from, Point to, Color color, double line_width = 1.0);
  void text(Point at, std::string words, double size, Align align, Color color);
};

}  // namespace oa::plot
