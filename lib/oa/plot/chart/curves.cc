#include "oa/plot/chart/curves.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/marks.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace oa::plot {
namespace {

using score::Curve;

constexpr double kChartWidth = 400.0;
constexpr double kMinChart = 240.0;  // narrower charts are stacked
constexpr double kCurvesHeight = 256.0;
constexpr double kCurvesLeft = 56.0;
constexpr double kBetween = 72.0;

using Field = std::optional<double> Curve::Epoch::*;

/// The smoothed points (epoch, value) of epochs that have a value.
std::vector<Point> points_of(const Curve& curve, Field field, int smooth) {
  std::vector<Point> points;
  std::vector<double> window;
  for (const Curve::Epoch& epoch : curve.epochs) {
    if (const auto& value = epoch.*field; value && std::isfinite(*value)) {
      window.push_back(*value);
      const auto from =
          window.size() - std::min(window.size(), static_cast<std::size_t>(smooth));
      double sum = 0.0;
      for (std::size_t i = from; i < window.size(); ++i) {
        sum += window[i];
      }
      points.push_back({epoch.epoch, sum / static_cast<double>(window.size() - from)});
    }
  }
  return points;
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return low > high; }
};

/// The loss chart or the accuracy chart.
struct Panel {
  const char* name;
  Field train;
  Field test;
  bool percent;
};

void draw_points(const Frame& frame,
                 const std::vector<Point>& points,
                 int run,
                 int runs,
                 bool dashed,
                 Scene& scene) {
  const Color color = series_color(run);
  std::vector<Point> line;
  for (const Point p : points) {
    line.push_back(frame.at(p.x, p.y));
  }
  draw_points_of_run(run, runs, line, color, scene);
  if (line.size() > 1) {
    scene.items.emplace_back(Line{std::move(line), color, 1.8, dashed, false});
  }
}

void draw_panel(const std::vector<Curve>& curves,
                const CurveSettings& settings,
                const Panel& panel,
                const Words& words,
                Point corner,
                double width,
                const Axis& epochs,
                Scene& scene) {
  Range range;
  const auto usable = [&](double v) {
    return !settings.log || panel.percent || v > 0.0;
  };
  for (const Curve& curve : curves) {
    for (const Field field : {panel.train, panel.test}) {
      for (const Point p : points_of(curve, field, settings.smooth)) {
        if (usable(p.y)) {
          range.add(p.y);
        }
      }
    }
  }
  Frame frame{corner, width, kCurvesHeight, epochs, {0.0, 1.0}};
  if (!range.empty()) {
    frame.y = rounded_axis(range.low, range.high);
    if (panel.percent) {
      frame.y.low = std::max(frame.y.low, 0.0);
      frame.y.high = std::min(frame.y.high, 1.0);
    } else if (settings.log) {
      frame.y = {0.9 * range.low, 1.1 * range.high, true};
    }
  }
  frame.y.percent = panel.percent;
  draw_y_axis(frame, words(panel.name), scene);
  draw_x_axis(frame, words(settings.steps ? "step" : "epoch"), scene);
  for (std::size_t k = 0; k < curves.size(); ++k) {
    for (const Field field : {panel.train, panel.test}) {
      auto points = points_of(curves[k], field, settings.smooth);
      std::erase_if(points, [&](Point p) { return !usable(p.y); });
      draw_points(frame,
                  points,
                  static_cast<int>(k),
                  static_cast<int>(curves.size()),
                  field == panel.test,
                  scene);
    }
  }
}

std::string facts_of(const std::vector<Curve>& curves,
                     const CurveSettings& settings,
                     const Words& words) {
  std::size_t held_out = 0;
  for (const Curve& curve : curves) {
    held_out += curve.held_out ? 1 : 0;
  }
  std::string facts = words.count(std::ssize(curves), "run", "runs") + words("; ");
  facts += words(held_out == 0 ? "line: training; dashed: test"
                 : held_out == curves.size()
                     ? "line: training; dashed: images held out"
                     : "line: training; dashed: test or images held out");
  if (settings.smooth > 1) {
    facts += words("; ") +
             words(settings.steps ? "mean over {0} points" : "mean over {0} epochs",
                   {format(settings.smooth)});
  }
  return facts;
}

}  // namespace

Scene draw(const std::vector<Curve>& curves,
           const CurveSettings& settings,
           const Look& look) {
  const Words& words = look.words;
  Scene scene;
  scene.title = words("Training: loss and accuracy");
  const double natural = kCurvesLeft + 2.0 * kChartWidth + kBetween + kMargin;
  scene.width = look.width > 0.0 ? look.width : natural;
  const double half = 0.5 * (scene.width - kCurvesLeft - kBetween - kMargin);
  const bool beside = half >= kMinChart;
  const double chart = beside ? half : scene.width - kCurvesLeft - kMargin;
  draw_heading(scene, facts_of(curves, settings, words));
  std::vector<Key> keys;
  Range epochs;
  for (const Curve& curve : curves) {
    keys.push_back({curve.name, series_color(static_cast<int>(keys.size()))});
    for (const Curve::Epoch& epoch : curve.epochs) {
      epochs.add(epoch.epoch);
    }
  }
  const double keys_height =
      draw_keys(keys, {kMargin, kHeadingHeight}, scene.width - kMargin, scene);
  Axis axis{.low = std::min(epochs.low, 1.0), .high = epochs.high, .whole = true};
  if (axis.high <= axis.low) {
    axis.low = 0.0;
    axis.high = 2.0;
  }
  const double top = kHeadingHeight + keys_height + 32.0;
  const Point second = beside ? Point{kCurvesLeft + chart + kBetween, top}
                              : Point{kCurvesLeft, top + kCurvesHeight + 80.0};
  draw_panel(curves,
             settings,
             {"loss", &Curve::Epoch::train_loss, &Curve::Epoch::test_loss, false},
             words,
             {kCurvesLeft, top},
             chart,
             axis,
             scene);
  draw_panel(
      curves,
      settings,
      {"accuracy", &Curve::Epoch::train_accuracy, &Curve::Epoch::test_accuracy, true},
      words,
      second,
      chart,
      axis,
      scene);
  scene.height = second.y + kCurvesHeight + 48.0;
  return scene;
}

}  // namespace oa::plot
