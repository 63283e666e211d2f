#pragma once

#include "oa/score/score.h"

#include <cstdint>
#include <optional>
#include <span>

namespace oa::score {

/// The result of a run for one example of a task other than classification.
struct TaskResult {
  std::int64_t index = 0;  ///< the example's index in its data set
  std::int64_t asked = 0;
  std::int64_t correct = 0;
  /// For positions: the sum of -log of the probability of the right class.
  std::optional<double> surprise;
  Solved solved = {};  ///< the problems of all heads
};

/// An estimate with its 95 % interval; NaN without questions.
struct Estimate {
  double value;
  double low;
  double high;
};

/// Compares two runs over the same examples.
struct TaskComparison {
  std::int64_t examples = 0;  ///< examples in both runs
  std::int64_t only_a = 0;    ///< examples only in A
  std::int64_t only_b = 0;
  std::int64_t asked = 0;
  std::int64_t right_a = 0;
  std::int64_t right_b = 0;
  /// The share of right answers of A minus the share of B.
  /// The interval takes examples, not answers, as independent.
  Estimate difference{};
  double bits_a = 0.0;  ///< surprise per answer in bits; NaN if a run lacks it
  double bits_b = 0.0;
  Estimate bits_difference{};
  EnergyGaps energy;
};

/// Matches examples by index.  If an index is repeated, the last result counts.
/// Throws InputError if the runs have different numbers of questions for an example.
[[nodiscard]] TaskComparison compare(std::span<const TaskResult> a,
                                     std::span<const TaskResult> b);

}  // namespace oa::score
