#include "oa/plot/accuracy_chart.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/names.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace oa::plot {
namespace {

constexpr double kAccuracyLeft = 64.0;
constexpr double kAccuracyColumns = 480.0;
constexpr double kLeastAccuracyHeight = 320.0;  // height of a chart with few names

double accuracy_deviation(const AccuracyChart::Model& model) {
  return model.accuracy.deviation.value_or(0.0);
}

/// Around all times, and all shares with their deviations.
Frame frame_of_accuracies(const AccuracyChart& chart) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Point low{kInfinity, kInfinity};
  Point high{0.0, 0.0};
  for (const AccuracyChart::Model& one : chart.models) {
    const double spread = accuracy_deviation(one);
    low = {std::min(low.x, one.ms), std::min(low.y, one.accuracy.share - spread)};
    high = {std::max(high.x, one.ms), std::max(high.y, one.accuracy.share + spread)};
  }
  Axis y = rounded_axis(low.y, high.y);
  y.percent = true;
  const double height = std::max(kLeastAccuracyHeight,
                                 kNameRow * static_cast<double>(chart.models.size()));
  return {{kAccuracyLeft, kHeadingHeight + 32.0},
          kAccuracyColumns,
          height,
          power_axis(low.x, high.x),
          y};
}

void draw_accuracy(const Frame& frame,
                   const AccuracyChart::Model& model,
                   Color color,
                   Scene& scene) {
  const double share = model.accuracy.share;
  const Point at = frame.at(model.ms, share);
  if (const double spread = accuracy_deviation(model); spread > 0.0) {
    scene.line({frame.at(model.ms, share - spread), frame.at(model.ms, share + spread)},
               color,
               1.0);
  }
  scene.rectangle({at.x - 2.5, at.y - 2.5}, 5.0, 5.0, color);
}

}  // namespace

AccuracyChart accuracy_chart(const BenchChart& times,
                             const std::vector<Accuracy>& accuracies) {
  AccuracyChart chart{times.machine, std::numeric_limits<double>::infinity(), {}};
  for (const BenchChart::Line& line : times.lines) {
    chart.tokens = std::min(chart.tokens, line.points.front().tokens);
  }
  for (const Accuracy& one : accuracies) {
    const auto line = std::ranges::find_if(times.lines, [&](const auto& candidate) {
      return candidate.name == one.attention || candidate.config == one.attention;
    });
    if (line != times.lines.end() && line->points.front().tokens == chart.tokens) {
      chart.models.push_back({one, line->points.front().ms});
    }
  }
  return chart;
}

Scene draw(const AccuracyChart& chart) {
  Scene scene;
  scene.title = "Attention: accuracy against time";
  double labels = 96.0;
  for (const AccuracyChart::Model& one : chart.models) {
    // A terminal needs a column of 8 for every letter.
    labels = std::max(labels, 8.0 * static_cast<double>(one.accuracy.name.size()));
  }
  scene.width = kAccuracyLeft + kAccuracyColumns + 24.0 + labels + kMargin;
  const Frame frame = frame_of_accuracies(chart);
  draw_heading(scene,
               chart.machine + ": a layer at " + format(chart.tokens) + " tokens");
  draw_y_axis(frame, "accuracy", scene);
  draw_x_axis(frame, "milliseconds", scene);
  std::vector<PointName> names;
  for (std::size_t k = 0; k < chart.models.size(); ++k) {
    const AccuracyChart::Model& one = chart.models[k];
    const Color color = series_color(static_cast<int>(k));
    draw_accuracy(frame, one, color, scene);
    names.push_back({one.accuracy.name, {one.ms, one.accuracy.share}, color});
  }
  draw_names_beside(frame, names, scene);
  scene.height = frame.corner.y + frame.height + 48.0;
  return scene;
}

}  // namespace oa::plot
