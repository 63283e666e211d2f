#pragma once

#include "oa/cim/assemble.h"

#include <cstdint>
#include <vector>

namespace oa::cim {

/// What came back, counted.
struct IngestTotals {
  std::int64_t tasks = 0;
  std::int64_t received = 0;   ///< tasks with at least one result
  std::int64_t missing = 0;    ///< without one
  std::int64_t duplicate = 0;  ///< results of tasks that had one
  std::int64_t failed = 0;     ///< tasks of which a report says so, and nothing else
  std::int64_t refuted = 0;    ///< results that fit no task
  std::int64_t ambiguous = 0;  ///< results that prove no task and name none
  std::int64_t by_name = 0;    ///< tasks received of which no energy proves whose it is
  std::int64_t unreadable = 0;
  std::int64_t ignored = 0;  ///< files that are not named as results are
  std::int64_t renamed = 0;  ///< names that contradicted the proof
  std::int64_t energies_verified = 0;
  std::int64_t checked = 0;
  std::int64_t best_is_optimal = 0;
  double gap = 0.0;
  double gap_max = 0.0;
  std::vector<std::int64_t> missing_tasks;  ///< their numbers, rising
  std::vector<double> run_ms;               ///< of each report, sorted
  std::vector<double> queue_s;              ///< likewise

  /// Counts what the matcher knows at the end.
  void add(const machine::Submission& submission, const Matcher& matcher);
  void add(const Assembled& image);

  /// Some result has no task.
  [[nodiscard]] bool contradicted() const {
    return refuted > 0 || ambiguous > 0 || unreadable > 0;
  }
};

}  // namespace oa::cim
