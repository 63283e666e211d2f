#include "oa/plot/chart/names.h"

#include "oa/plot/marks.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace oa::plot {
namespace {

/// Returns heights near `wanted`, at least one row apart, above `bottom`.
std::vector<double> spread_heights(const std::vector<double>& wanted, double bottom) {
  std::vector<std::size_t> order(wanted.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    order[k] = k;
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return wanted[k]; });
  std::vector<double> heights = wanted;
  double least = -std::numeric_limits<double>::infinity();
  for (const std::size_t k : order) {
    heights[k] = std::max(heights[k], least);
    least = heights[k] + kNameRow;
  }
  double most = bottom;
  for (auto k = order.rbegin(); k != order.rend(); ++k) {
    heights[*k] = std::min(heights[*k], most);
    most = heights[*k] - kNameRow;
  }
  return heights;
}

}  // namespace

void draw_names_beside(const Frame& frame,
                       const std::vector<PointName>& names,
                       Scene& scene) {
  std::vector<double> wanted;
  for (const PointName& one : names) {
    wanted.push_back(frame.at(one.at.x, one.at.y).y);
  }
  const double right = frame.corner.x + frame.width;
  const std::vector<double> heights =
      spread_heights(wanted, frame.corner.y + frame.height);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const PointName& one = names[k];
    draw_mark(one.mark, {right + 20.0, heights[k]}, 4.0, one.color, scene);
    scene.text(
        {right + 32.0, heights[k] + 4.0}, one.name, 11.0, Align::Left, one.color);
  }
}

}  // namespace oa::plot
