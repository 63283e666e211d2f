#include "oa/plot/chart/hit_rate.h"

#include "oa/base/number.h"

namespace oa::plot {

std::string HitRate::interval(const Words& words) const {
  const auto percent = [](double share) { return format_fixed(100.0 * share, 0); };
  return words("{0} to {1} %", {percent(low), percent(high)});
}

}  // namespace oa::plot
