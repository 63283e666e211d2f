#include "oa/plot/targets.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace oa::plot {
namespace {

constexpr double kLeft = 64.0;
constexpr double kChartWidth = 640.0;
constexpr double kChartHeight = 288.0;
constexpr double kShortest = 1e-6;  // seconds; a log axis has no 0

std::string name_of(const Targets::Solver& solver) {
  std::string name = solver.name + ": " + format(std::ssize(solver.seconds)) + " of " +
                     format(solver.runs);
  if (const double median = solver.median(); std::isfinite(median)) {
    // Two digits of whatever it is.
    const int power =
        static_cast<int>(std::floor(std::log10(std::max(median, kShortest))));
    name += ", median " + format_fixed(median, std::clamp(1 - power, 0, 7)) + " s";
  }
  return name;
}

/// Powers of ten around all times.
Axis time_axis(const Targets& targets) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;
  for (const Targets::Solver& solver : targets.solvers) {
    for (const double seconds : solver.seconds) {
      low = std::min(low, std::max(seconds, kShortest));
      high = std::max(high, seconds);
    }
  }
  if (high <= kShortest) {  // nobody got there, or all at once
    return {kShortest, 1.0, true};
  }
  const double below = std::pow(10.0, std::floor(std::log10(low)));
  const double above = std::pow(10.0, std::ceil(std::log10(high)));
  return {below, std::max(above, 10.0 * below), true};
}

}  // namespace

double Targets::Solver::median() const {
  const auto half = static_cast<std::size_t>((runs + 1) / 2);
  return half > 0 && half <= seconds.size() ? seconds[half - 1]
                                            : std::numeric_limits<double>::infinity();
}

Scene draw(const Targets& targets) {
  Scene scene;
  scene.title = "Time to target";
  scene.width = kLeft + kChartWidth + kMargin + 16.0;
  draw_heading(
      scene,
      targets.problem + ": runs at an energy as good as " + format(targets.target));
  std::vector<Key> keys;
  for (const Targets::Solver& solver : targets.solvers) {
    keys.push_back({name_of(solver), series_color(static_cast<int>(keys.size()))});
  }
  const double keys_height =
      draw_keys(keys, {kMargin, kHeadingHeight}, scene.width - kMargin, scene);
  Frame frame{{kLeft, kHeadingHeight + keys_height + 32.0},
              kChartWidth,
              kChartHeight,
              time_axis(targets),
              {0.0, 1.0, false, true}};
  draw_y_axis(frame, "runs that reached the target", scene);
  draw_x_axis(frame, "seconds", scene);
  for (std::size_t s = 0; s < targets.solvers.size(); ++s) {
    const Targets::Solver& solver = targets.solvers[s];
    std::vector<double> seconds;
    for (const double value : solver.seconds) {
      seconds.push_back(std::max(value, frame.x.low));
    }
    scene.line(share_steps(frame, 0.0, seconds, static_cast<double>(solver.runs)),
               keys[s].color,
               2.0);
  }
  scene.height = frame.corner.y + frame.height + 48.0;
  return scene;
}

}  // namespace oa::plot
