#include "oa/plot/chart/boxplot.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/marks.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace oa::plot {
namespace {

constexpr double kChartHeight = 320.0;

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

std::size_t classes_of(const BoxPlot& plot) {
  std::size_t classes = 0;
  for (const BoxPlot::Run& run : plot.runs) {
    classes = std::max(classes, run.boxes.size());
  }
  return classes;
}

/// Lists the boxes with values, of all runs.
std::vector<const Box*> boxes_of(const BoxPlot& plot) {
  std::vector<const Box*> all;
  for (const BoxPlot::Run& run : plot.runs) {
    for (const Box& box : run.boxes) {
      if (box.count > 0) {
        all.push_back(&box);
      }
    }
  }
  return all;
}

/// Makes an axis from 0 to 1, or an axis of log-odds if all boxes lie near 1, where a
/// linear axis would flatten them.
Axis axis_of(const BoxPlot& plot, const BoxSettings& settings) {
  constexpr double kHigh = 0.75;  // limit of first quartiles
  constexpr double kRounding = 1e-6;
  double quartile = 1.0;
  double low = 1.0;
  double high = 0.0;
  for (const Box* box : boxes_of(plot)) {
    quartile = std::min(quartile, box->low_quartile);
    low = std::min(low, box->low_whisker);
    high = std::max(high, box->high_whisker);
    if (settings.outliers && !box->outliers.empty()) {
      low = std::min(low, box->outliers.front());
      high = std::max(high, box->outliers.back());
    }
  }
  if (quartile <= kHigh || high == 0.0) {
    return {};
  }
  return odds_axis(std::clamp(low, kRounding, 1.0 - kRounding),
                   std::clamp(high, kRounding, 1.0 - kRounding));
}

/// The height of `value`, clamped to the axis.
double height_of(const Frame& frame, double value) {
  return frame.at(0.0, std::clamp(value, frame.y.low, frame.y.high)).y;
}

/// The corners of a box; a notch narrows it at the median.
std::vector<Point> outline(
    const Frame& frame, const Box& box, double left, double wide, bool notched) {
  const auto y = [&](double value) { return height_of(frame, value); };
  const double right = left + wide;
  if (!notched) {
    return {{left, y(box.high_quartile)},
            {right, y(box.high_quartile)},
            {right, y(box.low_quartile)},
            {left, y(box.low_quartile)}};
  }
  const double in = 0.25 * wide;
  return {{left, y(box.high_quartile)},
          {right, y(box.high_quartile)},
          {right, y(box.notch_high)},
          {right - in, y(box.median)},
          {right, y(box.notch_low)},
          {right, y(box.low_quartile)},
          {left, y(box.low_quartile)},
          {left, y(box.notch_low)},
          {left + in, y(box.median)},
          {left, y(box.notch_high)}};
}

void draw_box(const Frame& frame,
              const Box& box,
              const BoxSettings& settings,
              double left,
              double wide,
              Color color,
              Scene& scene) {
  const auto y = [&](double value) { return height_of(frame, value); };
  const double middle = left + 0.5 * wide;
  for (const auto& [from, to] : {std::pair(box.high_quartile, box.high_whisker),
                                 std::pair(box.low_quartile, box.low_whisker)}) {
    scene.line({{middle, y(from)}, {middle, y(to)}}, color);
    scene.fine_line(
        {middle - 0.25 * wide, y(to)}, {middle + 0.25 * wide, y(to)}, color);
  }
  std::vector<Point> shape = outline(frame, box, left, wide, settings.notches);
  constexpr double kOpacity = 0.45;
  scene.area(shape, color, 1.0, kOpacity);
  shape.push_back(shape.front());
  scene.items.emplace_back(Line{std::move(shape), color, 1.0, false, true});
  const double in = settings.notches ? 0.25 * wide : 0.0;
  scene.line(
      {{left + in, y(box.median)}, {left + wide - in, y(box.median)}}, color, 2.5);
  if (settings.outliers) {
    constexpr double kDot = 1.5;
    for (const double value : box.outliers) {
      scene.rectangle({middle - kDot, y(value) - kDot}, 2.0 * kDot, 2.0 * kDot, color);
    }
  }
}

/// Formats "1,000 images each" or "1,000 and 49 images".
std::string facts_of(const BoxPlot& plot, const Words& words) {
  std::vector<std::int64_t> counts;
  for (const BoxPlot::Run& run : plot.runs) {
    counts.push_back(0);
    for (const Box& box : run.boxes) {
      counts.back() += box.count;
    }
  }
  std::string facts;
  if (counts.size() == 1) {
    facts = words.count(counts.front(), "image", "images");
  } else if (std::ranges::count(counts, counts.front()) == std::ssize(counts)) {
    facts = counts.front() == 1
                ? words("1 image each")
                : words("{0} images each", {format_grouped(counts.front())});
  } else {
    std::string all = format_grouped(counts.front());
    for (std::size_t r = 1; r + 1 < counts.size(); ++r) {
      all += ", " + format_grouped(counts[r]);
    }
    facts = words("{0} and {1} images", {all, format_grouped(counts.back())});
  }
  return facts + words("; ") +
         words("box: quartiles and median; whiskers: 1.5 interquartile ranges");
}

/// The widths: `step` of a class, `box` of the box of a run.
struct BoxPlan {
  double box = 0.0;
  double step = 0.0;
  double width = 0.0;        // width of the scene
  std::size_t of_chart = 0;  // classes side by side in a chart
};

constexpr double kBoxLeft = 56.0;

BoxPlan plan_of(const BoxPlot& plot, double width) {
  const auto runs = static_cast<double>(plot.runs.size());
  const std::size_t classes = std::max<std::size_t>(classes_of(plot), 1);
  BoxPlan plan;
  plan.box = std::clamp(std::floor(40.0 / runs), 8.0, 24.0);
  plan.step = (plan.box + 2.0) * runs + 24.0;
  plan.of_chart = classes;
  plan.width =
      std::max(kBoxLeft + static_cast<double>(classes) * plan.step + kMargin, 560.0);
  if (width > 0.0) {
    const double room = width - kBoxLeft - kMargin;
    plan.box = std::min(plan.box, 8.0);
    const double least = (plan.box + 2.0) * runs + 8.0;
    plan.of_chart =
        std::clamp<std::size_t>(static_cast<std::size_t>(room / least), 1, classes);
    const auto charts = (classes + plan.of_chart - 1) / plan.of_chart;
    plan.of_chart = (classes + charts - 1) / charts;
    plan.step = room / static_cast<double>(plan.of_chart);
    plan.width = width;
  }
  return plan;
}

/// Draws the boxes of class k around `middle`,
/// with the class number and the runs' marks below.
void draw_class(const BoxPlot& plot,
                const BoxSettings& settings,
                const BoxPlan& plan,
                const Frame& frame,
                std::size_t k,
                double middle,
                Scene& scene) {
  const double bottom = frame.corner.y + frame.height;
  scene.text({middle, bottom + 20.0}, std::to_string(k), 11.0, Align::Center, kInk);
  const auto runs = static_cast<double>(plot.runs.size());
  double left = middle - 0.5 * (plan.box + 2.0) * runs + 1.0;
  for (std::size_t r = 0; r < plot.runs.size(); ++r) {
    const auto& boxes = plot.runs[r].boxes;
    if (k < boxes.size() && boxes[k].count > 0) {
      const int run = static_cast<int>(r);
      draw_box(frame, boxes[k], settings, left, plan.box, series_color(run), scene);
      if (plot.runs.size() > 1) {
        draw_mark(
            run, {left + 0.5 * plan.box, bottom + 6.0}, 3.0, series_color(run), scene);
      }
    }
    left += plan.box + 2.0;
  }
}

}  // namespace

Box make_box(std::vector<double> values) {
  constexpr double kReach = 1.5;
  constexpr double kNotch = 1.57;
  Box box;
  box.count = std::ssize(values);
  if (values.empty()) {
    return box;
  }
  std::ranges::sort(values);
  box.low_quartile = quantile(values, 0.25);
  box.median = quantile(values, 0.5);
  box.high_quartile = quantile(values, 0.75);
  const double range = box.high_quartile - box.low_quartile;
  const auto first =
      std::ranges::lower_bound(values, box.low_quartile - kReach * range);
  const auto last =
      std::ranges::upper_bound(values, box.high_quartile + kReach * range);
  // Keeps whiskers outside the box: with few values, a quartile may exceed them.
  box.low_whisker = std::min(*first, box.low_quartile);
  box.high_whisker = std::max(*(last - 1), box.high_quartile);
  const double notch = kNotch * range / std::sqrt(static_cast<double>(box.count));
  box.notch_low = std::max(box.median - notch, box.low_quartile);
  box.notch_high = std::min(box.median + notch, box.high_quartile);
  box.outliers.assign(values.begin(), first);
  box.outliers.insert(box.outliers.end(), last, values.end());
  return box;
}

Scene draw(const BoxPlot& plot, const BoxSettings& settings, const Look& look) {
  const BoxPlan plan = plan_of(plot, look.width);
  Scene scene;
  scene.title = look.words("Probability of the true class, by class");
  scene.width = plan.width;
  draw_heading(scene, facts_of(plot, look.words));
  std::vector<Key> keys;
  for (const BoxPlot::Run& run : plot.runs) {
    keys.push_back({run.name, series_color(static_cast<int>(keys.size()))});
  }
  const double keys_height =
      draw_keys(keys, {kMargin, kHeadingHeight}, scene.width - kMargin, scene);
  double top = kHeadingHeight + keys_height + 32.0;
  const Axis axis = axis_of(plot, settings);
  const std::size_t classes = std::max<std::size_t>(classes_of(plot), 1);
  const Axis across{0.0, static_cast<double>(plan.of_chart)};
  for (std::size_t from = 0; from < classes; from += plan.of_chart) {
    const Frame frame{
        {kBoxLeft, top}, scene.width - kBoxLeft - kMargin, kChartHeight, across, axis};
    draw_y_axis(frame,
                look.words(axis.odds ? "probability, by log-odds" : "probability"),
                scene);
    for (std::size_t k = from; k < std::min(from + plan.of_chart, classes_of(plot));
         ++k) {
      const double middle = frame.at(static_cast<double>(k - from) + 0.5, 0.0).x;
      draw_class(plot, settings, plan, frame, k, middle, scene);
    }
    scene.text({frame.corner.x + frame.width, frame.corner.y + frame.height + 36.0},
               look.words("true class"),
               11.0,
               Align::Right,
               kInk);
    scene.height = frame.corner.y + frame.height + 48.0;
    top = scene.height + 32.0;
  }
  return scene;
}

}  // namespace oa::plot
