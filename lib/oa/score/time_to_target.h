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

/// Returns the time in which repeated runs (one or more) reach the target with a
/// probability of 99 %. `seconds` has the times of the runs, at least one.  `hits` is
/// the number of runs that reached the target; the result is infinite for 0 hits.
[[nodiscard]] Interval time_to_target(std::span<const double> seconds,
                                      std::int64_t hits);

}  // namespace oa::score
