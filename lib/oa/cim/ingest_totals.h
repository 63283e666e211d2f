#pragma once

#include "oa/cim/assemble.h"

#include <cstdint>
#include <vector>

namespace oa::cim {

/// Counts over all results.
struct IngestTotals {
  std::int64_t tasks = 0;
  std::int64_t received = 0;   ///< tasks with at least one result
  std::int64_t missing = 0;    ///< tasks without a result
  std::int64_t runs = 0;       ///< of all tasks
  std::int64_t copies = 0;     ///< files equal to other files
  std::int64_t duplicate = 0;  ///< repeated runs of a task, and copies
  std::int64_t failed = 0;     ///< tasks with a report of failure and no result
  std::int64_t refuted = 0;    ///< results that fit no task
  std::int64_t ambiguous = 0;  ///< results that fit several tasks, without a name
  std::int64_t by_name = 0;    ///< received tasks known by names only, not by energies
  std::int64_t unreadable = 0;
  std::int64_t ignored = 0;  ///< files that are no results by name
  std::int64_t renamed = 0;  ///< names that contradicted the proof
  std::int64_t energies_verified = 0;
  std::int64_t unchecked = 0;  ///< received, but too hard to prove optima
  std::int64_t checked = 0;
  std::int64_t best_is_optimal = 0;
  std::int64_t optimal_in_original = 0;  ///< solutions optimal in the original problems
  double gap = 0.0;      ///< sum of gaps to optima of submitted matrices
  double gap_max = 0.0;  ///< largest gap
  std::vector<std::int64_t> missing_tasks;  ///< numbers, ascending
  std::vector<double> run_ms;               ///< of each report, sorted
  std::vector<double> queue_s;              ///< of each report, sorted
  std::int64_t distinct = 0;                ///< solutions, over all tasks
  std::int64_t best_hits = 0;               ///< runs with the best energy of their task
  std::int64_t optimum_runs = 0;            ///< runs of tasks with a proved optimum
  std::int64_t optimum_hits = 0;            ///< of these, with an optimum
  std::int64_t broken_solutions = 0;        ///< see Assembled
  std::int64_t broken_variables = 0;
  std::vector<TaskOutcome> outcomes;  ///< if asked for

  /// Adds the counts of the matcher.
  void count_tasks(const machine::Submission& submission, const Matcher& matcher);
  void count_image(const Assembled& image);

  /// True if a result fits no task, or several.
  [[nodiscard]] bool contradicted() const { return refuted > 0 || ambiguous > 0; }
};

}  // namespace oa::cim
