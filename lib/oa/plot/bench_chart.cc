#include "oa/plot/bench_chart.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/font.h"
#include "oa/plot/marks.h"
#include "oa/plot/names.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace oa::plot {
namespace {

constexpr double kChartLeft = 64.0;
constexpr double kChartColumns = 480.0;
constexpr double kLeastColumns = 240.0;  // narrower, names are keys above the charts
constexpr double kLeastHeight = 256.0;
constexpr double kLeastLabels = 96.0;
constexpr std::size_t kColors = 7;  // of series_color(), before they repeat

/// A line of one of the charts, in numbers of its axes.
struct Trace {
  std::string name;
  std::vector<Point> points;
  Color color;
  bool dashed = false;
  int number = 0;  ///< of the line
};

struct Chart {
  std::string name;
  std::string x_name;
  std::vector<Trace> traces;
  std::vector<Trace> roofs;
  double y_top = 0.0;  ///< the y axis reaches at least this: names lie above roofs
};

/// The places that x and y of `points` span, widened to powers of ten.
std::pair<Axis, Axis> axes_around(const std::vector<Trace>& traces) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Point low{kInfinity, kInfinity};
  Point high{0.0, 0.0};
  for (const Trace& trace : traces) {
    for (const Point p : trace.points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  if (high.x <= 0.0) {  // there is nothing to draw
    return {power_axis(1.0, 10.0), power_axis(1.0, 10.0)};
  }
  return {power_axis(low.x, high.x), power_axis(low.y, high.y)};
}

/// `mark`: of which run; none, if names beside the lines tell them apart.
void draw_trace(const Frame& frame,
                const Trace& trace,
                std::optional<int> mark,
                Scene& scene) {
  std::vector<Point> line;
  for (const Point p : trace.points) {
    line.push_back(frame.at(p.x, p.y));
    scene.rectangle({line.back().x - 2.5, line.back().y - 2.5}, 5.0, 5.0, trace.color);
    if (mark) {
      draw_mark(*mark, line.back(), 6.0, trace.color, scene);
    }
  }
  if (line.size() > 1) {
    scene.items.emplace_back(
        Line{std::move(line), trace.color, 1.8, trace.dashed, false});
  }
}

/// The names of traces, at their last points.
void draw_trace_names(const Frame& frame,
                      const std::vector<Trace>& traces,
                      Scene& scene) {
  std::vector<PointName> names;
  for (const Trace& trace : traces) {
    names.push_back({trace.name, trace.points.back(), trace.color});
  }
  draw_names_beside(frame, names, scene);
}

/// Returns its height.
double draw_chart(
    const Chart& chart, double top, double width, bool keys, Scene& scene) {
  std::vector<Trace> all = chart.traces;
  all.insert(all.end(), chart.roofs.begin(), chart.roofs.end());
  auto [x, y] = axes_around(all);
  y = power_axis(y.low, std::max(y.high, chart.y_top));
  const double height =
      std::max(kLeastHeight, kNameRow * static_cast<double>(chart.traces.size()));
  const Frame frame{{kChartLeft, top}, width, height, x, y};
  draw_y_axis(frame, chart.name, scene);
  draw_x_axis(frame, chart.x_name, scene);
  for (const Trace& roof : chart.roofs) {
    std::vector<Point> line;
    for (const Point p : roof.points) {
      line.push_back(frame.at(p.x, p.y));
    }
    scene.line(std::move(line), roof.color, 1.2);
    if (!keys) {
      const Point end = frame.at(roof.points.back().x, roof.points.back().y);
      scene.text({end.x - 8.0, end.y - 6.0}, roof.name, 10.0, Align::Right, kGray);
    }
  }
  for (const Trace& trace : chart.traces) {
    draw_trace(frame, trace, keys ? std::optional(trace.number) : std::nullopt, scene);
  }
  if (!keys) {
    draw_trace_names(frame, chart.traces, scene);
  }
  return height + 48.0;
}

/// (x, y) of every line whose points have both above 0.
template <class Place>
std::vector<Trace> traces_of(const BenchChart& chart, const Place& place) {
  std::vector<Trace> all;
  for (std::size_t k = 0; k < chart.lines.size(); ++k) {
    Trace trace{chart.lines[k].name,
                {},
                series_color(static_cast<int>(k)),
                k / kColors % 2 == 1,
                static_cast<int>(k)};
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

Chart time_chart(const BenchChart& chart, const Words& words) {
  Chart time{words("milliseconds"),
             words("tokens"),
             traces_of(chart,
                       [](const BenchChart::Point& p) {
                         return Point{p.tokens, p.ms};
                       }),
             {}};
  // Every line has a time, so that traces and lines are the same.
  for (std::size_t k = 0; k < time.traces.size(); ++k) {
    if (const auto power = chart.lines[k].power()) {
      time.traces[k].name += " ~ n^" + format_fixed(*power, 2);
    }
  }
  return time;
}

Chart roofline_chart(const BenchChart& chart, const Words& words) {
  Chart roofline{"GFLOP/s",
                 words("FLOPs for each byte"),
                 traces_of(chart,
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
  roofline.roofs = {{words("copy {0} GB/s", {format_fixed(chart.copy_gbs, 1)}),
                     {{low, low * chart.copy_gbs}, {ridge, chart.peak_gflops}},
                     kGray},
                    {words("peak {0} GFLOP/s", {format_fixed(chart.peak_gflops, 0)}),
                     {{ridge, chart.peak_gflops}, {high, chart.peak_gflops}},
                     kGray}};
  return roofline;
}

}  // namespace

std::optional<double> BenchChart::Line::power() const {
  double mean_x = 0.0;
  double mean_y = 0.0;
  for (const Point& p : points) {
    mean_x += std::log(p.tokens);
    mean_y += std::log(p.ms);
  }
  const auto count = static_cast<double>(points.size());
  mean_x /= count;
  mean_y /= count;
  double product = 0.0;
  double square = 0.0;
  for (const Point& p : points) {
    const double x = std::log(p.tokens) - mean_x;
    product += x * (std::log(p.ms) - mean_y);
    square += x * x;
  }
  constexpr double kRounding = 1e-12;
  return square > kRounding ? std::optional(product / square) : std::nullopt;
}

Scene draw(const BenchChart& chart, const Look& look) {
  const Words& words = look.words;
  Scene scene;
  scene.title = words("Attention: time, roofline and memory");
  const Chart time = time_chart(chart, words);
  double labels = kLeastLabels;
  for (const Trace& trace : time.traces) {
    // A terminal needs a column of 8 for every letter.
    labels = std::max(labels, 8.0 * columns_of(trace.name));
  }
  const double beside = 24.0 + labels + kMargin;
  scene.width = look.width > 0.0 ? look.width : kChartLeft + kChartColumns + beside;
  double width = scene.width - kChartLeft - beside;
  const bool with_keys = width < kLeastColumns;
  draw_heading(scene,
               words("{0}: peak {1} GFLOP/s, copy {2} GB/s",
                     {chart.machine,
                      format_fixed(chart.peak_gflops, 0),
                      format_fixed(chart.copy_gbs, 1)}));
  double top = kHeadingHeight + 32.0;
  if (with_keys) {
    width = scene.width - kChartLeft - kMargin;
    std::vector<Key> keys;
    for (const Trace& trace : time.traces) {
      keys.push_back({trace.name, trace.color});
    }
    top += draw_keys(keys, {kMargin, kHeadingHeight}, scene.width - kMargin, scene);
  }
  const Chart memory{words("bytes of memory"),
                     words("tokens"),
                     traces_of(chart,
                               [](const BenchChart::Point& p) {
                                 return Point{p.tokens, p.memory};
                               }),
                     {}};
  for (const Chart& one : {time, roofline_chart(chart, words), memory}) {
    top += draw_chart(one, top, width, with_keys, scene) + 32.0;
  }
  scene.height = top - 32.0;
  return scene;
}

}  // namespace oa::plot
