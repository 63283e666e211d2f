#include "oa/plot/chart/targets.h"

#include "oa/base/number.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace oa::plot {
namespace {

constexpr double kShortest = 1e-6;  // seconds; a logarithmic axis has no 0

std::string name_of_tasks(const Targets::Solver& solver, const Words& words) {
  return words("{0}: {1} of {2} tasks, {3} of {4} runs ({5})",
               {solver.name,
                format(std::ssize(solver.seconds)),
                format(solver.runs),
                format_grouped(solver.rate.hits),
                format_grouped(solver.rate.runs),
                solver.rate.interval(words)});
}

/// Formats seconds with two digits.
std::string text_of(double seconds) {
  const int power =
      static_cast<int>(std::floor(std::log10(std::max(seconds, kShortest))));
  return format_fixed(seconds, std::clamp(1 - power, 0, 7));
}

std::string name_of(const Targets::Solver& solver, const Words& words) {
  std::string name =
      words("{0}: {1} of {2}",
            {solver.name, format(std::ssize(solver.seconds)), format(solver.runs)});
  if (solver.rate.runs > 1) {
    name += words(" ({0})", {solver.rate.interval(words)});
  }
  const double median = solver.median();
  if (!std::isfinite(median)) {
    return name;
  }
  name += words(", median {0} s", {text_of(median)});
  if (const auto interval = solver.median_interval()) {
    name +=
        std::isfinite(interval->high)
            ? words(" ({0} to {1})", {text_of(interval->low), text_of(interval->high)})
            : words(" ({0} or more)", {text_of(interval->low)});
  }
  if (solver.rate.runs > 1) {
    name += words(", 99 % in {0} s", {text_of(solver.to_99)});
  }
  return name;
}

/// Makes the axis of all times, in powers of ten.
Axis time_axis(const Targets& targets) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;
  for (const Targets::Solver& solver : targets.solvers) {
    for (const double seconds : solver.seconds) {
      low = std::min(low, std::max(seconds, kShortest));
      high = std::max(high, seconds);
    }
  }
  if (high <= kShortest) {  // no run reached the target, or all reached it at once
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

std::optional<Interval> Targets::Solver::median_interval() const {
  // A time is below the median with probability 1/2: the k-th time is above the median
  // if fewer than k times are below.  Takes the largest k for which this is improbable.
  const auto n = static_cast<double>(runs);
  std::int64_t k = 0;
  double fewer = 0.0;
  for (; k <= runs; ++k) {
    const auto i = static_cast<double>(k);
    fewer += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) -
                      std::lgamma(n - i + 1.0) - n * std::log(2.0));
    if (fewer > 0.05) {
      break;
    }
  }
  const auto time = [&](std::int64_t number) {
    return number <= std::ssize(seconds) ? seconds[static_cast<std::size_t>(number - 1)]
                                         : std::numeric_limits<double>::infinity();
  };
  if (k == 0 || std::isinf(time(k))) {
    return {};
  }
  return Interval{time(k), time(runs + 1 - k)};
}

Scene draw(const Targets& targets, const Look& look) {
  const Words& words = look.words;
  ShareChart chart{
      words("Time to target"),
      targets.of_tasks ? words("time until a run reaches the optimum with 99 %")
                       : words("{0}: runs at an energy as good as {1}",
                               {targets.problem, format(targets.target)}),
      words("seconds"),
      targets.of_tasks ? words("tasks") : words("runs that reached the target"),
      time_axis(targets),
      {0.0, 1.0, false, true},
      {}};
  for (const Targets::Solver& solver : targets.solvers) {
    ShareLine& line = chart.lines.emplace_back();
    line.values = solver.seconds;
    line.total = static_cast<double>(solver.runs);
    if (targets.of_tasks) {
      line.name = name_of_tasks(solver, words);
      continue;
    }
    line.name = name_of(solver, words);
    line.middle = solver.median_interval();
    if (solver.rate.runs > 1) {
      line.end = Interval{solver.rate.low, solver.rate.high};
    }
  }
  return draw(chart, look.width);
}

}  // namespace oa::plot
