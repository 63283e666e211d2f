#include "oa/plot/chart/scatter.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/marks.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace oa::plot {
namespace {

using score::Scatter;

constexpr double kScatterLeft = 64.0;
constexpr double kScatterColumns = 560.0;
constexpr double kScatterHeight = 320.0;
constexpr double kWideRange = 20.0;  // ratio that makes an axis logarithmic

Axis axis_of(const Scatter& scatter, double Scatter::Item::*number) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Scatter::Group& group : scatter.groups) {
    for (const Scatter::Item& item : group.items) {
      low = std::min(low, item.*number);
      high = std::max(high, item.*number);
    }
  }
  return low > 0.0 && high / low >= kWideRange ? power_axis(low, high)
                                               : rounded_axis(low, high);
}

void draw_group(
    const Frame& frame, const Scatter::Group& group, int k, bool marked, Scene& scene) {
  const Color color = series_color(k);
  std::vector<Point> line;
  for (const Scatter::Item& item : group.items) {
    line.push_back(frame.at(item.x, item.y));
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    scene.rectangle({line[i].x - 2.5, line[i].y - 2.5}, 5.0, 5.0, color);
    if (marked) {
      draw_mark(k, line[i], 6.0, color, scene);
    }
    if (const std::string& label = group.items[i].label; !label.empty()) {
      scene.text({line[i].x + 8.0, line[i].y - 6.0}, label, 10.0, Align::Left, kInk);
    }
  }
  if (line.size() > 1) {
    scene.line(std::move(line), color, 1.5);
  }
}

}  // namespace

Scene draw(const Scatter& scatter, const Look& look) {
  const Words& words = look.words;
  Scene scene;
  scene.title = words("{0} against {1}", {scatter.y_name, scatter.x_name});
  std::size_t points = 0;
  std::vector<Key> keys;
  for (const Scatter::Group& group : scatter.groups) {
    points += group.items.size();
    keys.push_back({group.name, series_color(static_cast<int>(keys.size()))});
  }
  constexpr double kRight = kMargin + 32.0;  // room for the label of the last point
  scene.width = look.width > 0.0 ? look.width : kScatterLeft + kScatterColumns + kRight;
  draw_heading(scene, words("{0} points", {format(static_cast<std::int64_t>(points))}));
  const double keys_height =
      draw_keys(keys, {kMargin, kHeadingHeight}, scene.width - kMargin, scene);
  const Frame frame{{kScatterLeft, kHeadingHeight + keys_height + 32.0},
                    scene.width - kScatterLeft - kRight,
                    kScatterHeight,
                    axis_of(scatter, &Scatter::Item::x),
                    axis_of(scatter, &Scatter::Item::y)};
  draw_y_axis(frame, scatter.y_name, scene);
  draw_x_axis(frame, scatter.x_name, scene);
  for (std::size_t k = 0; k < scatter.groups.size(); ++k) {
    draw_group(frame, scatter.groups[k], static_cast<int>(k), keys.size() > 1, scene);
  }
  scene.height = frame.corner.y + frame.height + 48.0;
  return scene;
}

}  // namespace oa::plot
