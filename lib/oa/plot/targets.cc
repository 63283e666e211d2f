#include "oa/plot/targets.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace oa::plot {
namespace {

constexpr double kShortest = 1e-6;  // seconds; a log axis has no 0

std::string name_of(const Targets::Solver& solver) {
  std::string name = solver.name + ": " + format(std::ssize(solver.seconds)) + " of " +
                     format(solver.runs);
  if (const double median = solver.median(); std::isfinite(median)) {
    // Two digits, however small it is.
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
  if (high <= kShortest) {  // no run reached the target, or all did at once
    return {kShortest, 1.0, true};
  }
  return power_axis(low, high);
}

}  // namespace

double Targets::Solver::median() const {
  const auto half = static_cast<std::size_t>((runs + 1) / 2);
  return half > 0 && half <= seconds.size() ? seconds[half - 1]
                                            : std::numeric_limits<double>::infinity();
}

Scene draw(const Targets& targets, double width) {
  ShareChart chart{
      "Time to target",
      targets.problem + ": runs at an energy as good as " + format(targets.target),
      "seconds",
      "runs that reached the target",
      time_axis(targets),
      {0.0, 1.0, false, true},
      {},
      width};
  for (const Targets::Solver& solver : targets.solvers) {
    chart.lines.push_back(
        {name_of(solver), 0.0, solver.seconds, static_cast<double>(solver.runs)});
  }
  return draw(chart);
}

}  // namespace oa::plot
