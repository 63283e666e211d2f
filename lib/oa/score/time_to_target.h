#pragma once

#include <cstdint>
#include <span>

namespace oa::score {

/// A value and its 95 % interval.
struct Interval {
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// How long runs that took `seconds` are to be repeated until one reaches the target
/// with a probability of 99 %, if `hits` of them did; no less than one run.  Infinity
/// where none did.  There is at least one run.
[[nodiscard]] Interval time_to_target(std::span<const double> seconds,
                                      std::int64_t hits);

}  // namespace oa::score
