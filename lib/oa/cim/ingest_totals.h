#pragma once

#include "oa/cim/assemble.h"

#include <cstdint>
#include <vector>

namespace oa::cim {

/// Counts of what came back.
struct IngestTotals {
  std::int64_t tasks = 0;
  std::int64_t received = 0;   ///< tasks with at least one result
  std::int64_t missing = 0;    ///< tasks without a result
  std::int64_t runs = 0;       ///< of all tasks
  std::int64_t copies = 0;     ///< files that say again what another says
  std::int64_t duplicate = 0;  ///< further runs of tasks that have one, and copies
  std::int64_t failed = 0;     ///< tasks that have a report of failure and no result
  std::int64_t refuted = 0;    ///< results that fit no task
  std::int64_t ambiguous = 0;  ///< results that fit several tasks and name none
  std::int64_t by_name = 0;    ///< received tasks that only names map, not energies
  std::int64_t unreadable = 0;
  std::int64_t ignored = 0;  ///< files whose names are not those of results
  std::int64_t renamed = 0;  ///< names that contradicted the proof
  std::int64_t energies_verified = 0;
  std::int64_t unchecked = 0;  ///< received, but with optima too hard to prove
  std::int64_t checked = 0;
  std::int64_t best_is_optimal = 0;
  std::int64_t optimal_in_original = 0;  ///< answers, in the problems before rounding
  double gap = 0.0;      ///< to the optima of the submitted matrices, summed
  double gap_max = 0.0;  ///< the largest
  std::vector<std::int64_t> missing_tasks;  ///< their numbers, rising
  std::vector<double> run_ms;               ///< of each report, sorted
  std::vector<double> queue_s;              ///< of each report, sorted

  /// Counts what the matcher knows at the end.
  void count_tasks(const machine::Submission& submission, const Matcher& matcher);
  void count_image(const Assembled& image);

  /// Some result cannot be mapped to a task.
  [[nodiscard]] bool contradicted() const { return refuted > 0 || ambiguous > 0; }
};

}  // namespace oa::cim
