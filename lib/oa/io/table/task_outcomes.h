#pragma once

#include "oa/io/bytes/input.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::io {

/// The runs of a task of a machine, as `oa-cim-ingest --tasks --json` prints them.
struct TaskRow {
  std::int64_t runs = 0;
  double best = 0.0;              ///< the lowest energy of the runs
  std::optional<double> optimum;  ///< proved optimum of the submitted matrix
  std::int64_t hits = 0;          ///< runs that reach the optimum, or else `best`
  /// The seconds until a run hits with probability 0.99; empty if unknown or infinite.
  std::optional<double> seconds_to_99;
};

/// True if the input begins as a report of tasks.
[[nodiscard]] bool has_task_rows(Input& input);

/// Reads the tasks that have runs.  Throws InputError if no task has runs.
[[nodiscard]] std::vector<TaskRow> read_task_rows(Input& input);

}  // namespace oa::io
