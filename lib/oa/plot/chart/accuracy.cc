#include "oa/plot/chart/accuracy.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/chart/names.h"
#include "oa/plot/font.h"
#include "oa/plot/marks.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace oa::plot {
namespace {

constexpr double kAccuracyLeft = 64.0;
constexpr double kAccuracyColumns = 480.0;
constexpr double kMinAccuracyColumns = 200.0;  // if narrower, names are keys
constexpr double kMinAccuracyHeight = 320.0;   // height of a chart with a few names

double accuracy_deviation(const AccuracyChart::Model& model) {
  return model.accuracy.deviation.value_or(0.0);
}

/// The frame that contains all times and all accuracies with their deviations.
Frame frame_of_accuracies(const AccuracyChart& chart, double top, double width) {
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
  const double height =
      std::max(kMinAccuracyHeight, kNameRow * static_cast<double>(chart.models.size()));
  return {{kAccuracyLeft, top}, width, height, power_axis(low.x, high.x), y};
}

void draw_accuracy(const Frame& frame,
                   const AccuracyChart::Model& model,
                   int number,
                   Scene& scene) {
  const Color color = series_color(number);
  const double share = model.accuracy.share;
  const Point at = frame.at(model.ms, share);
  if (const double spread = accuracy_deviation(model); spread > 0.0) {
    scene.line({frame.at(model.ms, share - spread), frame.at(model.ms, share + spread)},
               color,
               1.0);
  }
  scene.rectangle({at.x - 2.5, at.y - 2.5}, 5.0, 5.0, color);
  draw_mark(number, at, 6.0, color, scene);
}

}  // namespace

AccuracyChart accuracy_chart(const score::BenchChart& times,
                             const std::vector<score::KindAccuracy>& accuracies) {
  AccuracyChart chart{times.machine, std::numeric_limits<double>::infinity(), {}};
  for (const score::BenchChart::Line& line : times.lines) {
    chart.tokens = std::min(chart.tokens, line.points.front().tokens);
  }
  for (const score::KindAccuracy& one : accuracies) {
    const auto line = std::ranges::find_if(times.lines, [&](const auto& candidate) {
      return candidate.name == one.attention || candidate.config == one.attention;
    });
    if (line != times.lines.end() && line->points.front().tokens == chart.tokens) {
      chart.models.push_back({one, line->points.front().ms});
    }
  }
  return chart;
}

Scene draw(const AccuracyChart& chart, const Look& look) {
  const Words& words = look.words;
  Scene scene;
  scene.title = words("Attention: accuracy against time");
  double labels = 96.0;
  std::vector<Key> keys;
  for (const AccuracyChart::Model& one : chart.models) {
    // A terminal needs 8 units per letter.
    labels = std::max(labels, 8.0 * columns_of(one.accuracy.name));
    keys.push_back({one.accuracy.name, series_color(static_cast<int>(keys.size()))});
  }
  const double beside = 32.0 + labels + kMargin;
  scene.width =
      look.width > 0.0 ? look.width : kAccuracyLeft + kAccuracyColumns + beside;
  double width = scene.width - kAccuracyLeft - beside;
  const bool with_keys = width < kMinAccuracyColumns;
  draw_heading(
      scene,
      words("{0}: a layer at {1} tokens", {chart.machine, format(chart.tokens)}));
  double top = kHeadingHeight + 32.0;
  if (with_keys) {
    width = scene.width - kAccuracyLeft - kMargin;
    top += draw_keys(keys, {kMargin, kHeadingHeight}, scene.width - kMargin, scene);
  }
  const Frame frame = frame_of_accuracies(chart, top, width);
  draw_y_axis(frame, words("accuracy"), scene);
  draw_x_axis(frame, words("milliseconds"), scene);
  std::vector<PointName> names;
  for (std::size_t k = 0; k < chart.models.size(); ++k) {
    const AccuracyChart::Model& one = chart.models[k];
    const int number = static_cast<int>(k);
    draw_accuracy(frame, one, number, scene);
    names.push_back(
        {one.accuracy.name, {one.ms, one.accuracy.share}, keys[k].color, number});
  }
  if (!with_keys) {
    draw_names_beside(frame, names, scene);
  }
  scene.height = frame.corner.y + frame.height + 48.0;
  return scene;
}

}  // namespace oa::plot
