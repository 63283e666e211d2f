#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace oa::plot {

/// A drawing as a value: shapes and texts with their places, in units of 1/96 inch, x
/// to the right and y down.  Figures make scenes; io/picture and plot/terminal show
/// them, so that a picture is the same in every format and a test can count its items.
///
/// Figures keep to a grid of 8 units where they can: a terminal's column has 8 units
/// and a row 16.

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
  /// A terminal without colour shows the area if this is at least 0.5.
  double ink = 1.0;
  /// The share of the colour in a mixture with the paper's colour.
  double opacity = 1.0;
};

/// A line through points.
struct Line {
  std::vector<Point> points;
  Color color;
  double width = 1.0;
  bool dashed = false;
  /// An aid for the eye, which a terminal leaves out.
  bool fine = false;
};

/// One line of UTF-8 text in the font of plot/font.h.
struct Text {
  Point at;  ///< on the baseline: the left end, the middle or the right end
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
  std::vector<Item> items;  ///< later ones lie above earlier ones
  /// The colours of the runs, in order: a terminal without colour draws a letter for
  /// each.
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
  /// Adds a line that only helps the eye.
  void fine_line(Point from, Point to, Color color, double line_width = 1.0);
  void text(Point at, std::string words, double size, Align align, Color color);
};

}  // namespace oa::plot
