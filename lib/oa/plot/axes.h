#pragma once

#include "oa/plot/scene.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oa::plot {

// Shared parts of charts.

inline constexpr double kMargin = 16.0;
inline constexpr double kHeadingHeight = 64.0;

/// Draws the scene's title and the line `facts` at the top, in kHeadingHeight.
void draw_heading(Scene& scene, std::string_view facts);

/// The range of numbers along a side of a chart.
struct Axis {
  double low = 0.0;
  double high = 1.0;
  bool log = false;  ///< logarithmic; both ends are positive
  bool percent = false;
  bool whole = false;  ///< ticks only at whole numbers
  bool odds = false;   ///< shows log(v / (1 - v)); both ends are between 0 and 1
  std::vector<double> values = {};  ///< the ticks; empty: at round numbers

  /// Maps `value` to its position: 0 at the low end, 1 at the high end.
  [[nodiscard]] double share(double value) const;
};

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

struct Tick {
  double value = 0.0;
  std::string label;
};

/// Returns ticks at the values of the axis or, if it has no values,
/// at up to `most` round numbers: 1, 2 or 5 times a power of ten.
/// A logarithmic axis has powers of ten; an axis of odds has 90 %, 99 %,
/// 99.9 % and so on.  All labels of an axis have one format.
[[nodiscard]] std::vector<Tick> ticks(const Axis& axis, int most);

/// Minor ticks of a logarithmic axis: 2 to 9 times each power of ten.  Empty for other
/// axes, for an axis with values, and for over ten powers.
[[nodiscard]] std::vector<double> minor_ticks(const Axis& axis);

/// Makes an axis that contains both numbers and ends at round numbers.
[[nodiscard]] Axis rounded_axis(double low, double high);

/// Makes a logarithmic axis that contains both positive numbers, with a margin.
[[nodiscard]] Axis log_axis(double low, double high);

/// Makes a logarithmic axis of whole powers of ten around two positive numbers.
[[nodiscard]] Axis power_axis(double low, double high);

/// Makes an axis of odds that contains both numbers, between 0 and 1, with a margin.
[[nodiscard]] Axis odds_axis(double low, double high);

/// The inner rectangle of a chart; values grow to the right and upwards.
struct Frame {
  Point corner;
  double width = 0.0;
  double height = 0.0;
  Axis x;
  Axis y;

  [[nodiscard]] Point at(double x_value, double y_value) const {
    return {corner.x + width * x.share(x_value),
            corner.y + height * (1.0 - y.share(y_value))};
  }
};

/// Draws the base line, ticks with lines across the frame, and the name above.
void draw_y_axis(const Frame& frame, std::string_view name, Scene& scene);
/// Draws the ticks and the name below the frame.
void draw_x_axis(const Frame& frame, std::string_view name, Scene& scene);

/// Draws text at `at`.  Text that is too long for the space on the right begins at the
/// margin, so that a terminal can wrap it.
void draw_note(
    Point at, const std::string& words, double size, Color color, Scene& scene);

/// An entry of a legend.
struct Key {
  std::string name;
  Color color;
};

/// Draws keys in lines from `corner` to `right`, and returns their height.  Stores the
/// colours of several keys in scene.runs.  If `marked`, draws marks of the keys, too.
double draw_keys(const std::vector<Key>& keys,
                 Point corner,
                 double right,
                 Scene& scene,
                 bool marked = true);

/// The share of `total` items at or below each x:
/// `before` items are below every x, all others are at `values`, which ascend.
struct ShareLine {
  std::string name;
  double before = 0.0;
  std::vector<double> values;
  double total = 0.0;
  std::optional<Interval> middle = {};  ///< interval of the x with a share of 1/2
  std::optional<Interval> end = {};     ///< interval of the share at the highest x
};

struct ShareChart {
  std::string title;
  std::string facts;
  std::string x_name;
  std::string y_name;
  Axis x;
  Axis y;
  std::vector<ShareLine> lines;
  bool missing = false;  ///< shows 1 - share on a logarithmic y axis
};

/// Draws the chart.  `width` is the width of the scene, or 0 to let the figure choose.
[[nodiscard]] Scene draw(const ShareChart& chart, double width);

}  // namespace oa::plot
