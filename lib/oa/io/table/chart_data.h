#pragma once

#include "oa/io/bytes/input.h"
#include "oa/score/measured.h"

#include <vector>

namespace oa::io {

// Readers of tables and logs for charts.

/// Reads lines of JSON objects: texts `attention` and `name` (default: attention),
/// numbers `accuracy` and `accuracy_sd` (optional) from 0 to 1.  Throws InputError on
/// another line, and on an empty input.
[[nodiscard]] std::vector<score::KindAccuracy> read_accuracies(Input& input);

/// Reads the output of `oa-bench --json` and skips rows without a measurement.
/// Throws InputError on other text, or if no row was measured.
[[nodiscard]] score::BenchChart read_bench_rows(Input& input);

/// Reads a table with the columns group, x, y and optionally label; its first line
/// names x and y.  Groups keep the order of their first rows.  Throws InputError on a
/// malformed line or without points.
[[nodiscard]] score::Scatter read_scatter(Input& input);

/// Reads a training log, oa-formats(5):
/// lines of `oa-train --log`, the table of `oa-train --csv` (a curve for each seed),
/// or the JSON object of the public reproduction.  `steps` gives curves over steps;
/// each point is the mean since the previous point.  Sets `cut` if the last line is
/// incomplete because the training is still writing; omits that line.
[[nodiscard]] std::vector<score::Curve> read_training_log(Input& input,
                                                          bool steps,
                                                          bool& cut);

}  // namespace oa::io
