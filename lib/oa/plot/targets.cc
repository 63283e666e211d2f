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

std::string name_of(const Targets::Solver& solver, const Words& words) {
  std::string name =
      words("{0}: {1} of {2}",
            {solver.name, format(std::ssize(solver.seconds)), format(solver.runs)});
  if (const double median = solver.median(); std::isfinite(median)) {
    // Two digits, however small it is.
    const int power =
        static_cast<int>(std::floor(std::log10(std::max(median, kShortest))));
    name +=
        words(", median {0} s", {format_fixed(median, std::clamp(1 - power, 0, 7))});
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

Scene draw(const Targets& targets, const Look& look) {
  const Words& words = look.words;
  ShareChart chart{words("Time to target"),
                   words("{0}: runs at an energy as good as {1}",
                         {targets.problem, format(targets.target)}),
                   words("seconds"),
                   words("runs that reached the target"),
                   time_axis(targets),
                   {0.0, 1.0, false, true},
                   {}};
  for (const Targets::Solver& solver : targets.solvers) {
    chart.lines.push_back({name_of(solver, words),
                           0.0,
                           solver.seconds,
                           static_cast<double>(solver.runs)});
  }
  return draw(chart, look.width);
}

}  // namespace oa::plot
