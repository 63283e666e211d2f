#pragma once

#include "oa/plot/look.h"

#include <cstdint>
#include <string>

namespace oa::plot {

/// How many of several runs reached their goal, with an interval of that share.
struct HitRate {
  std::int64_t hits = 0;
  std::int64_t runs = 0;
  double low = 0.0;
  double high = 1.0;

  /// "24 to 76 %".
  [[nodiscard]] std::string interval(const Words& words) const;
};

}  // namespace oa::plot
