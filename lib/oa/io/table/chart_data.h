#pragma once

#include "oa/io/bytes/input.h"
#include "oa/score/measured.h"

#include <vector>

namespace oa::io {

// What charts show, from tables and logs.

/// Reads lines of JSON objects with the texts `attention` and `name` (default:
/// attention) and the numbers `accuracy` and `accuracy_sd` (optional), both from 0 to
/// 1.  Throws InputError on another line, or if there is none.
[[nodiscard]] std::vector<score::KindAccuracy> read_accuracies(Input& input);

/// Reads the output of `oa-bench --json` and skips rows without a measurement.  Throws
/// InputError on other text, or if no row was measured.
[[nodiscard]] score::BenchChart read_bench_rows(Input& input);

/// Reads a table with the columns group, x, y and optionally label; its first line
/// names x and y.  Groups keep the order of their first rows.  Throws InputError on a
/// malformed line or without points.
[[nodiscard]] score::Scatter read_scatter(Input& input);

/// Reads a training log, oa-formats(5): the lines of `oa-train --log` or the table of
/// its `--csv` (one curve for each seed), or the object of lists of the public
/// reproduction.  `steps` gives curves over steps; each point is the mean since the
/// previous one.  `cut` becomes true if the last line is incomplete because the
/// training still writes it; that line is left out.
[[nodiscard]] std::vector<score::Curve> read_training_log(Input& input,
                                                          bool steps,
                                                          bool& cut);

}  // namespace oa::io
