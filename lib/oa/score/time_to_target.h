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

/// The time to repeat runs until one reaches the target with a probability of 99 %, at
/// least one run.  `seconds` are the times of the runs, at least one; `hits` of them
/// reached the target.  Infinite without hits.
[[nodiscard]] Interval time_to_target(std::span<const double> seconds,
                                      std::int64_t hits);

}  // namespace oa::score
