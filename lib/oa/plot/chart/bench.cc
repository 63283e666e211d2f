#include "oa/plot/chart/bench.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/chart/names.h"
#include "oa/plot/font.h"
#include "oa/plot/marks.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace oa::plot {
namespace {

using score::BenchChart;

constexpr double kChartLeft = 64.0;
constexpr double kChartColumns = 480.0;
constexpr double kMinColumns = 240.0;  // if narrower, names are keys
constexpr double kOneColumn = 160.0;   // width for points at one number of tokens
constexpr double kMinHeight = 256.0;
constexpr double kMinLabels = 96.0;
constexpr std::size_t kColors = 7;  // number of colours of series_color()

/// The style of a line, equal in all charts.
struct LineStyle {
  Color color;
  int mark = 0;
};

/// A line in one chart, in units of its axes.
struct Trace {
  std::string name;
  std::vector<Point> points;
  LineStyle style;
};

struct Chart {
  std::string name;
  std::string x_name;
  std::vector<Trace> traces;
  std::vector<Trace> roofs;
  double y_top = 0.0;   ///< minimum of the y axis' top, above names of roofs
  bool tokens = false;  ///< x is a number of tokens
};

/// The colours of families, in the order of their first lines;
/// empty if each line has a colour of its own.
std::vector<Key> families_of(const BenchChart& chart) {
  std::vector<Key> families;
  if (chart.lines.size() <= kColors) {
    return families;
  }
  for (const BenchChart::Line& line : chart.lines) {
    if (std::ranges::find(families, line.family, &Key::name) == families.end()) {
      families.push_back(
          {line.family, series_color(static_cast<int>(families.size()))});
    }
  }
  return families.size() > 1 ? families : std::vector<Key>{};
}

std::vector<LineStyle> styles_of(const BenchChart& chart,
                                 const std::vector<Key>& families) {
  std::vector<LineStyle> styles;
  std::map<std::string, int> members;
  for (const BenchChart::Line& line : chart.lines) {
    const auto family = std::ranges::find(families, line.family, &Key::name);
    const int number = static_cast<int>(styles.size());
    styles.push_back(family == families.end()
                         ? LineStyle{series_color(number), number}
                         : LineStyle{family->color, members[line.family]++});
  }
  return styles;
}

/// Formats three digits: "143", "12.3".
std::string three_digits(double value) {
  const int above = static_cast<int>(std::floor(std::log10(value)));
  return format_fixed(value, std::clamp(2 - above, 0, 9));
}

/// Makes the axis of tokens, with a tick at each number if there are few.
/// The axis ends at the largest number, because names follow the ends of lines.
Axis token_axis(const std::vector<Trace>& traces) {
  constexpr std::size_t kMax = 8;
  std::set<double> tokens;
  for (const Trace& trace : traces) {
    for (const Point p : trace.points) {
      tokens.insert(p.x);
    }
  }
  const double high = *tokens.rbegin();
  const double low = tokens.size() > 1 ? *tokens.begin() : 0.5 * high;
  Axis axis{low, high, true};
  if (tokens.size() <= kMax) {
    axis.values.assign(tokens.begin(), tokens.end());
  }
  return axis;
}

std::pair<Axis, Axis> axes_around(const std::vector<Trace>& traces, bool tokens) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Point low{kInfinity, kInfinity};
  Point high{0.0, 0.0};
  for (const Trace& trace : traces) {
    for (const Point p : trace.points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  if (high.x <= 0.0) {  // no points
    return {power_axis(1.0, 10.0), power_axis(1.0, 10.0)};
  }
  return {tokens ? token_axis(traces) : power_axis(low.x, high.x),
          log_axis(low.y, high.y)};
}

void draw_trace(const Frame& frame, const Trace& trace, Scene& scene) {
  constexpr double kDot = 3.0;  // radius; a terminal shows no marks
  const LineStyle& style = trace.style;
  std::vector<Point> line;
  for (const Point p : trace.points) {
    line.push_back(frame.at(p.x, p.y));
    scene.rectangle({line.back().x - 0.5 * kDot, line.back().y - 0.5 * kDot},
                    kDot,
                    kDot,
                    style.color);
    draw_mark(style.mark, line.back(), 4.5, style.color, scene);
  }
  if (line.size() > 1) {
    scene.line(std::move(line), style.color, 1.4);
  }
}

/// Draws each trace's name at its last point.
void draw_trace_names(const Frame& frame,
                      const std::vector<Trace>& traces,
                      Scene& scene) {
  std::vector<PointName> names;
  for (const Trace& trace : traces) {
    names.push_back(
        {trace.name, trace.points.back(), trace.style.color, trace.style.mark});
  }
  draw_names_beside(frame, names, scene);
}

/// Draws a chart and returns its height.
double draw_chart(
    const Chart& chart, double top, double width, bool keys, Scene& scene) {
  std::vector<Trace> all = chart.traces;
  all.insert(all.end(), chart.roofs.begin(), chart.roofs.end());
  auto [x, y] = axes_around(all, chart.tokens && !chart.traces.empty());
  y.high = std::max(y.high, chart.y_top);
  if (x.values.size() == 1) {  // one number of tokens needs little width
    width = std::min(width, kOneColumn);
  }
  const double height =
      std::max(kMinHeight, kNameRow * static_cast<double>(chart.traces.size()));
  const Frame frame{{kChartLeft, top}, width, height, x, y};
  draw_y_axis(frame, chart.name, scene);
  draw_x_axis(frame, chart.x_name, scene);
  for (const Trace& roof : chart.roofs) {
    std::vector<Point> line;
    for (const Point p : roof.points) {
      line.push_back(frame.at(p.x, p.y));
    }
    scene.line(std::move(line), kGray, 1.2);
    if (!keys) {
      const Point end = frame.at(roof.points.back().x, roof.points.back().y);
      scene.text({end.x - 8.0, end.y - 6.0}, roof.name, 10.0, Align::Right, kGray);
    }
  }
  for (const Trace& trace : chart.traces) {
    draw_trace(frame, trace, scene);
  }
  if (!keys) {
    draw_trace_names(frame, chart.traces, scene);
  }
  return height + 48.0;
}

/// Makes traces of all lines from their points with positive x and y.
template <class Place>
std::vector<Trace> traces_of(const BenchChart& chart,
                             const std::vector<LineStyle>& styles,
                             const Place& place) {
  std::vector<Trace> all;
  for (std::size_t k = 0; k < chart.lines.size(); ++k) {
    Trace trace{chart.lines[k].name, {}, styles[k]};
    for (const BenchChart::Point& p : chart.lines[k].points) {
      const Point at = place(p);
      if (at.x > 0.0 && at.y > 0.0 && std::isfinite(at.x)) {
        trace.points.push_back(at);
      }
    }
    if (!trace.points.empty()) {
      all.push_back(std::move(trace));
    }
  }
  return all;
}

Chart time_chart(const BenchChart& chart,
                 const std::vector<LineStyle>& styles,
                 const Words& words) {
  Chart time{words("milliseconds"),
             words("tokens"),
             traces_of(chart,
                       styles,
                       [](const BenchChart::Point& p) {
                         return Point{p.tokens, p.ms};
                       }),
             {}};
  time.tokens = true;
  // Every line has a time, so traces and lines have equal indices.
  for (std::size_t k = 0; k < time.traces.size(); ++k) {
    if (const auto power = chart.lines[k].power()) {
      time.traces[k].name += " ~ n^" + format_fixed(*power, 2);
    }
  }
  return time;
}

Chart memory_chart(const BenchChart& chart,
                   const std::vector<LineStyle>& styles,
                   const Words& words) {
  Chart memory{words("bytes of memory"),
               words("tokens"),
               traces_of(chart,
                         styles,
                         [](const BenchChart::Point& p) {
                           return Point{p.tokens, p.memory};
                         }),
               {}};
  memory.tokens = true;
  return memory;
}

Chart roofline_chart(const BenchChart& chart,
                     const std::vector<LineStyle>& styles,
                     const Words& words) {
  Chart roofline{"GFLOP/s",
                 words("FLOPs for each byte"),
                 traces_of(chart,
                           styles,
                           [](const BenchChart::Point& p) {
                             return Point{p.flops_per_byte(), p.gflops()};
                           }),
                 {}};
  roofline.y_top = 2.0 * chart.peak_gflops;
  const double ridge = chart.peak_gflops / chart.copy_gbs;
  double low = ridge / 10.0;
  double high = ridge * 10.0;
  for (const Trace& trace : roofline.traces) {
    for (const Point p : trace.points) {
      low = std::min(low, p.x);
      high = std::max(high, p.x);
    }
  }
  roofline.roofs = {{words("copy {0} GB/s", {three_digits(chart.copy_gbs)}),
                     {{low, low * chart.copy_gbs}, {ridge, chart.peak_gflops}},
                     {}},
                    {words("peak {0} GFLOP/s", {three_digits(chart.peak_gflops)}),
                     {{ridge, chart.peak_gflops}, {high, chart.peak_gflops}},
                     {}}};
  return roofline;
}

}  // namespace

Scene draw(const BenchChart& chart, const Look& look) {
  const Words& words = look.words;
  Scene scene;
  scene.title = words("Attention: time, roofline and memory");
  std::vector<Key> families = families_of(chart);
  std::vector<LineStyle> styles = styles_of(chart, families);
  Chart time = time_chart(chart, styles, words);
  double labels = kMinLabels;
  for (const Trace& trace : time.traces) {
    // A terminal needs 8 units per letter.
    labels = std::max(labels, 8.0 * columns_of(trace.name));
  }
  const double beside = 32.0 + labels + kMargin;
  scene.width = look.width > 0.0 ? look.width : kChartLeft + kChartColumns + beside;
  double width = scene.width - kChartLeft - beside;
  const bool with_keys = width < kMinColumns;
  draw_heading(scene,
               words("{0}: peak {1} GFLOP/s, copy {2} GB/s",
                     {chart.machine,
                      three_digits(chart.peak_gflops),
                      three_digits(chart.copy_gbs)}));
  double top = kHeadingHeight + 32.0;
  std::vector<Key> keys;
  if (with_keys) {  // keys are far from lines, so each line has its own colour
    width = scene.width - kChartLeft - kMargin;
    styles = styles_of(chart, {});
    time = time_chart(chart, styles, words);
    for (const Trace& trace : time.traces) {
      keys.push_back({trace.name, trace.style.color});
    }
  } else {
    for (Key& family : families) {
      keys.push_back({words(family.name), family.color});
    }
  }
  if (!keys.empty()) {
    top += draw_keys(
        keys, {kMargin, kHeadingHeight}, scene.width - kMargin, scene, with_keys);
  }
  for (const Chart& one : {time,
                           roofline_chart(chart, styles, words),
                           memory_chart(chart, styles, words)}) {
    top += draw_chart(one, top, width, with_keys, scene) + 32.0;
  }
  scene.height = top - 32.0;
  return scene;
}

}  // namespace oa::plot
