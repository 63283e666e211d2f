#pragma once

#include "oa/score/score.h"

#include <cstdint>
#include <optional>
#include <span>

namespace oa::score {

/// What a run says about one example where not one class is asked for.
struct TaskResult {
  std::int64_t index = 0;  ///< position of the example in its data set
  std::int64_t asked = 0;
  std::int64_t correct = 0;
  /// Of positions: the sum of -log of the probability of the right class.
  std::optional<double> surprise;
  Solved solved = {};  ///< the problems of all heads
};

/// A number with its 95 % interval; NaN where nothing was asked.
struct Estimate {
  double value;
  double low;
  double high;
};

/// Two runs over the same examples.
struct TaskComparison {
  std::int64_t examples = 0;  ///< in both
  std::int64_t only_a = 0;    ///< examples of A alone
  std::int64_t only_b = 0;
  std::int64_t asked = 0;
  std::int64_t right_a = 0;
  std::int64_t right_b = 0;
  /// The share of right answers of A less that of B.  Answers of one example depend on
  /// each other, so the interval counts examples, not answers.
  Estimate difference{};
  double bits_a = 0.0;  ///< surprise by answer; NaN where a run does not say it
  double bits_b = 0.0;
  Estimate bits_difference{};
  EnergyGaps energy;
};

/// Matches examples by index.  If a run has an index twice, the last counts.  Throws
/// InputError if the runs ask different numbers of questions about an example.
[[nodiscard]] TaskComparison compare(std::span<const TaskResult> a,
                                     std::span<const TaskResult> b);

}  // namespace oa::score
