#pragma once

#include "oa/cim/assemble.h"

#include <cstdint>
#include <vector>

namespace oa::cim {

/// Totals over all results of an ingest.
struct IngestTotals {
  std::int64_t tasks = 0;
  std::int64_t received = 0;   ///< tasks with results
  std::int64_t missing = 0;    ///< tasks without results
  std::int64_t runs = 0;       ///< of all tasks
  std::int64_t copies = 0;     ///< files identical to others
  std::int64_t duplicate = 0;  ///< repeated runs of a task, and identical files
  std::int64_t failed = 0;     ///< tasks with a failure report and no result
  std::int64_t refuted = 0;    ///< results that fit no task
  std::int64_t ambiguous = 0;  ///< results that fit several tasks, named by none
  std::int64_t by_name = 0;    ///< received tasks identified by name, not by energies
  std::int64_t unreadable = 0;
  std::int64_t ignored = 0;  ///< files whose name is not one of a result
  std::int64_t renamed = 0;  ///< names that contradicted the energies
  std::int64_t energies_verified = 0;
  std::int64_t unchecked = 0;  ///< received tasks whose optima are too hard to prove
  std::int64_t checked = 0;
  std::int64_t best_is_optimal = 0;
  std::int64_t optimal_in_original = 0;  ///< solutions optimal in the original problems
  double gap = 0.0;      ///< sum of gaps to optima of submitted matrices
  double gap_max = 0.0;  ///< largest gap
  std::vector<std::int64_t> missing_tasks;  ///< numbers, ascending
  std::vector<double> run_ms;               ///< of each report, sorted
  std::vector<double> queue_s;              ///< of each report, sorted
  std::int64_t distinct = 0;                ///< solutions, over all tasks
  std::int64_t best_hits = 0;               ///< runs with their task's best energy
  std::int64_t optimum_runs = 0;            ///< runs of tasks with a proved optimum
  std::int64_t optimum_hits = 0;            ///< runs that found a proved optimum
  std::int64_t broken_solutions = 0;        ///< see Assembled
  std::int64_t broken_variables = 0;
  std::vector<TaskOutcome> outcomes;  ///< filled if requested

  /// Adds the matcher's counts.
  void count_tasks(const machine::Submission& submission, const Matcher& matcher);
  void count_image(const Assembled& image);

  /// True if some result fits no task, or several.
  [[nodiscard]] bool contradicted() const { return refuted > 0 || ambiguous > 0; }
};

}  // namespace oa::cim
