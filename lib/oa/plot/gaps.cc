#include "oa/plot/gaps.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace oa::plot {
namespace {

constexpr double kLeft = 64.0;
constexpr double kChartWidth = 640.0;
constexpr double kChartHeight = 288.0;

std::string percent(double share) {
  // A few digits of what is small: "0.0021 %".
  const double value = 100.0 * share;
  const int decimals =
      value > 0.0
          ? std::clamp(1 - static_cast<int>(std::floor(std::log10(value))), 1, 6)
          : 0;
  return format_fixed(value, decimals) + " %";
}

std::string name_of(const Gaps::Run& run) {
  const double share =
      static_cast<double>(run.optimal) / static_cast<double>(run.problems());
  return run.name + ": " + format_fixed(100.0 * share, 2) + " % optimal" +
         (run.above.empty() ? "" : ", worst gap " + percent(run.worst()));
}

std::string facts_of(const Gaps& gaps) {
  std::int64_t most = 0;
  for (const Gaps::Run& run : gaps.runs) {
    most = std::max(most, run.problems());
  }
  std::string facts = format_grouped(most) + " problems whose optimum is proved";
  if (gaps.unproved > 0) {
    facts += "; " + format_grouped(gaps.unproved) + " left out, without proof";
  }
  return facts + "; gap: (energy - optimum) / |optimum|";
}

/// From the lowest gap above 0 to the highest, in powers of ten.
Axis gap_axis(const Gaps& gaps) {
  double low = INFINITY;
  double high = 0.0;
  for (const Gaps::Run& run : gaps.runs) {
    if (!run.above.empty()) {
      low = std::min(low, run.above.front());
      high = std::max(high, run.above.back());
    }
  }
  if (high == 0.0) {  // everybody found every optimum
    return {1e-6, 1e-1, true};
  }
  const double below = std::pow(10.0, std::floor(std::log10(low)));
  const double above = std::pow(10.0, std::ceil(std::log10(high)));
  return {below, std::max(above, 10.0 * below), true};
}

}  // namespace

double Gaps::Run::mean() const {
  const auto count = static_cast<double>(problems());
  return count > 0.0 ? std::accumulate(above.begin(), above.end(), 0.0) / count : 0.0;
}

Scene draw(const Gaps& gaps) {
  Scene scene;
  scene.title = "Distance to the proven optimum";
  scene.width = kLeft + kChartWidth + kMargin + 16.0;
  draw_heading(scene, facts_of(gaps));
  std::vector<Key> keys;
  double lowest = 1.0;
  for (const Gaps::Run& run : gaps.runs) {
    keys.push_back({name_of(run), series_color(static_cast<int>(keys.size()))});
    lowest = std::min(
        lowest, static_cast<double>(run.optimal) / static_cast<double>(run.problems()));
  }
  const double keys_height =
      draw_keys(keys, {kMargin, kHeadingHeight}, scene.width - kMargin, scene);
  Frame frame{{kLeft, kHeadingHeight + keys_height + 32.0},
              kChartWidth,
              kChartHeight,
              gap_axis(gaps),
              rounded_axis(std::min(lowest, 0.9), 1.0)};
  frame.y.high = 1.0;
  frame.y.percent = true;
  draw_y_axis(frame, "problems within the gap", scene);
  draw_x_axis(frame, "relative gap", scene);
  for (std::size_t r = 0; r < gaps.runs.size(); ++r) {
    const Gaps::Run& run = gaps.runs[r];
    scene.line(share_steps(frame,
                           static_cast<double>(run.optimal),
                           run.above,
                           static_cast<double>(run.problems())),
               keys[r].color,
               2.0);
  }
  scene.height = frame.corner.y + frame.height + 48.0;
  return scene;
}

}  // namespace oa::plot
