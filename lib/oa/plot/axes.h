#pragma once

#include "oa/plot/scene.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oa::plot {

// The shared parts of charts, so that all look alike.

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
  bool whole = false;  ///< only whole numbers have ticks
  bool odds = false;   ///< shows log(v / (1 - v)); both ends lie between 0 and 1
  std::vector<double> values = {};  ///< ticks are at these; empty: at round numbers

  /// Where `value` lies: 0 at the low end, 1 at the high one.
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

/// The values of the axis, else round numbers (1, 2 or 5 times a power of ten) within
/// it, at most `most`; powers of ten on a logarithmic axis, 90 %, 99 %, 99.9 % and so
/// on on an axis of odds.  All labels of an axis are written alike.
[[nodiscard]] std::vector<Tick> ticks(const Axis& axis, int most);

/// The numbers of a logarithmic axis between two neighbouring powers of ten: 2 to 9
/// times the lower.  None where the axis has more than ten powers or ticks at values,
/// or is not logarithmic.
[[nodiscard]] std::vector<double> minor_ticks(const Axis& axis);

/// An axis that holds both numbers and ends at round ones.
[[nodiscard]] Axis rounded_axis(double low, double high);

/// A logarithmic axis with some room around both numbers, which are positive.
[[nodiscard]] Axis log_axis(double low, double high);

/// A logarithmic axis of whole powers of ten around both numbers, which are positive.
[[nodiscard]] Axis power_axis(double low, double high);

/// An axis of odds with some room around both numbers, which lie between 0 and 1.
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

/// The name of the y axis above it, its ticks with lines across, the base line.
void draw_y_axis(const Frame& frame, std::string_view name, Scene& scene);
/// Ticks below, and the name of the axis below them.
void draw_x_axis(const Frame& frame, std::string_view name, Scene& scene);

/// Text at `at`; where it has no room up to the right side, it begins at the margin, so
/// that a terminal can break it.
void draw_note(
    Point at, const std::string& words, double size, Color color, Scene& scene);

/// What a colour stands for.
struct Key {
  std::string name;
  Color color;
};

/// Keys in lines from `corner` on, none beyond `right`; returns the height used.
/// Several keys are the runs of the scene; `marked`: a mark stands for each, too.
double draw_keys(const std::vector<Key>& keys,
                 Point corner,
                 double right,
                 Scene& scene,
                 bool marked = true);

/// The share of `total` things that lie at or below each x: `before` of them lie below
/// every x; each of the others lies at one of `values`, ascending.
struct ShareLine {
  std::string name;
  double before = 0.0;
  std::vector<double> values;
  double total = 0.0;
  std::optional<Interval> middle = {};  ///< where a share of one half may lie, too
};

struct ShareChart {
  std::string title;
  std::string facts;
  std::string x_name;
  std::string y_name;
  Axis x;
  Axis y;
  std::vector<ShareLine> lines;
  bool missing = false;  ///< what y shows is 1 - share: on a logarithmic axis
};

/// `width` of the scene; 0: chosen per figure.
[[nodiscard]] Scene draw(const ShareChart& chart, double width);

}  // namespace oa::plot
