#pragma once

#include "oa/plot/scene.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oa::plot {

// The shared parts of charts.

inline constexpr double kMargin = 16.0;
inline constexpr double kHeadingHeight = 64.0;

/// Draws the scene's title and the line `facts` in the topmost kHeadingHeight.
void draw_heading(Scene& scene, std::string_view facts);

/// A range of numbers along a side of a chart.
struct Axis {
  double low = 0.0;
  double high = 1.0;
  bool log = false;  ///< both ends are positive
  bool percent = false;
  bool whole = false;  ///< ticks at whole numbers only
  bool odds = false;   ///< shows log(v / (1 - v)); both ends lie between 0 and 1
  std::vector<double> values = {};  ///< ticks at these; empty: at round numbers

  /// The position of `value`: 0 at the low end, 1 at the high one.
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

/// Ticks at the values of the axis, or at most `most` round numbers within it (1, 2 or
/// 5 times a power of ten).  A logarithmic axis has powers of ten; an axis of odds has
/// 90 %, 99 %, 99.9 % and so on.  All labels of an axis have one format.
[[nodiscard]] std::vector<Tick> ticks(const Axis& axis, int most);

/// The minor ticks of a logarithmic axis: 2 to 9 times each power of ten.  Empty if the
/// axis has over ten powers, has its own values or is not logarithmic.
[[nodiscard]] std::vector<double> minor_ticks(const Axis& axis);

/// An axis around both numbers that ends at round ones.
[[nodiscard]] Axis rounded_axis(double low, double high);

/// A logarithmic axis around both numbers, which are positive, with a margin.
[[nodiscard]] Axis log_axis(double low, double high);

/// A logarithmic axis of whole powers of ten around both numbers, which are positive.
[[nodiscard]] Axis power_axis(double low, double high);

/// An axis of odds around both numbers, which lie between 0 and 1, with a margin.
[[nodiscard]] Axis odds_axis(double low, double high);

/// A chart's inner rectangle; values grow to the right and upwards.
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

/// Draws the base line, the ticks with lines across, and the name above.
void draw_y_axis(const Frame& frame, std::string_view name, Scene& scene);
/// Draws the ticks and the name below the frame.
void draw_x_axis(const Frame& frame, std::string_view name, Scene& scene);

/// Draws text at `at`.  If it is too long for the space to the right, it begins at the
/// margin, so that a terminal can break it.
void draw_note(
    Point at, const std::string& words, double size, Color color, Scene& scene);

/// An entry of a legend.
struct Key {
  std::string name;
  Color color;
};

/// Draws keys in lines from `corner` to `right`.  Returns the height used.  Several
/// keys become the runs of the scene; `marked` draws a mark for each, too.
double draw_keys(const std::vector<Key>& keys,
                 Point corner,
                 double right,
                 Scene& scene,
                 bool marked = true);

/// The share of `total` things at or below each x: `before` of them lie below every x,
/// the others at `values`, which ascend.
struct ShareLine {
  std::string name;
  double before = 0.0;
  std::vector<double> values;
  double total = 0.0;
  std::optional<Interval> middle = {};  ///< of the x with a share of 1/2
  std::optional<Interval> end = {};     ///< of the share at the highest x
};

struct ShareChart {
  std::string title;
  std::string facts;
  std::string x_name;
  std::string y_name;
  Axis x;
  Axis y;
  std::vector<ShareLine> lines;
  bool missing = false;  ///< y shows 1 - share on a logarithmic axis
};

/// `width` of the scene; 0: chosen by the figure.
[[nodiscard]] Scene draw(const ShareChart& chart, double width);

}  // namespace oa::plot
