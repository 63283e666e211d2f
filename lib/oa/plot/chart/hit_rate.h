#pragma once

#include "oa/plot/look.h"

#include <cstdint>
#include <string>

namespace oa::plot {

/// The share of several runs that reached their goal, with its interval.
struct HitRate {
  std::int64_t hits = 0;
  std::int64_t runs = 0;
  double low = 0.0;
  double high = 1.0;

  /// Formats the interval: "24 to 76 %".
  [[nodiscard]] std::string interval(const Words& words) const;
};

}  // namespace oa::plot
