#pragma once

#include "oa/io/bytes/input.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace oa::io {

/// The runs of a task of a machine, as `oa-cim-ingest --tasks --json` prints them.
struct TaskRow {
  std::int64_t runs = 0;
  double best = 0.0;              ///< the lowest energy that came back
  std::optional<double> optimum;  ///< of the submitted matrix, if it is proved
  std::int64_t hits = 0;          ///< runs with the optimum; without one, with the best
  /// The time until a run hits with a probability of 99 %; empty if unknown or never.
  std::optional<double> seconds_to_99;
};

/// True if the content begins as such a report.
[[nodiscard]] bool has_task_rows(Input& input);

/// The tasks that have runs.  Throws InputError if there are none.
[[nodiscard]] std::vector<TaskRow> read_task_rows(Input& input);

}  // namespace oa::io
