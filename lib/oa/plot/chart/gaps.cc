#include "oa/plot/chart/gaps.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace oa::plot {
namespace {

// If each run misses at most this share of the optima, shows misses on a logarithmic
// axis: lines near 100 % look alike.
constexpr double kContest = 0.1;

std::string percent(double share) {
  // Formats a share with two digits, even a small one: "0.0021 %".
  const double value = 100.0 * share;
  const int decimals =
      value > 0.0
          ? std::clamp(1 - static_cast<int>(std::floor(std::log10(value))), 1, 6)
          : 0;
  return format_fixed(value, decimals) + " %";
}

std::string name_of(const Gaps::Run& run, const Words& words) {
  const double share =
      static_cast<double>(run.optimal) / static_cast<double>(run.problems());
  const std::string optimal = format_fixed(100.0 * share, 2);
  std::string name = run.above.empty()
                         ? words("{0}: {1} % optimal", {run.name, optimal})
                         : words("{0}: {1} % optimal, worst gap {2}",
                                 {run.name, optimal, percent(run.worst())});
  if (run.rate.runs > 0) {
    name += words(", {0} of {1} runs ({2})",
                  {format_grouped(run.rate.hits),
                   format_grouped(run.rate.runs),
                   run.rate.interval(words)});
  }
  return name;
}

std::string facts_of(const Gaps& gaps, const Words& words) {
  std::int64_t most = 0;
  for (const Gaps::Run& run : gaps.runs) {
    most = std::max(most, run.problems());
  }
  std::string facts =
      words("{0} problems whose optimum is proved", {format_grouped(most)});
  if (gaps.unproved > 0) {
    facts += words("; ") +
             words("{0} left out, without proof", {format_grouped(gaps.unproved)});
  }
  return facts + words("; ") + words("gap: (energy - optimum) / |optimum|");
}

/// Makes the axis from the smallest positive gap to the largest, in powers of ten.
Axis gap_axis(const Gaps& gaps) {
  double low = INFINITY;
  double high = 0.0;
  for (const Gaps::Run& run : gaps.runs) {
    if (!run.above.empty()) {
      low = std::min(low, run.above.front());
      high = std::max(high, run.above.back());
    }
  }
  if (high == 0.0) {  // each solver found each optimum
    return {1e-6, 1e-1, true};
  }
  return power_axis(low, high);
}

}  // namespace

double Gaps::Run::mean() const {
  const auto count = static_cast<double>(problems());
  return count > 0.0 ? std::accumulate(above.begin(), above.end(), 0.0) / count : 0.0;
}

Scene draw(const Gaps& gaps, const Look& look) {
  const Words& words = look.words;
  ShareChart chart{words("Distance to the proven optimum"),
                   facts_of(gaps, words),
                   words("relative gap"),
                   words("problems within the gap"),
                   gap_axis(gaps),
                   {},
                   {}};
  double lowest = 0.9;
  double most = 0.0;   // largest share of optima missed by a run
  double least = 1.0;  // smallest positive share missed by a run
  for (const Gaps::Run& run : gaps.runs) {
    const auto optimal = static_cast<double>(run.optimal);
    const auto problems = static_cast<double>(run.problems());
    chart.lines.push_back({name_of(run, words), optimal, run.above, problems});
    lowest = std::min(lowest, optimal / problems);
    most = std::max(most, 1.0 - optimal / problems);
    least = std::min(least, 1.0 / problems);
  }
  if (most > 0.0 && most <= kContest) {
    chart.y_name = words("problems beyond the gap");
    chart.missing = true;
    chart.y = power_axis(0.5 * least, most);
    chart.y.percent = true;
    return draw(chart, look.width);
  }
  chart.y = rounded_axis(lowest, 1.0);
  chart.y.high = 1.0;
  chart.y.percent = true;
  return draw(chart, look.width);
}

}  // namespace oa::plot
