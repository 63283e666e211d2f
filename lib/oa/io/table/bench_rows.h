#pragma once

#include "oa/io/bytes/input.h"
#include "oa/plot/chart/bench.h"

namespace oa::io {

/// Reads the output of `oa-bench --json` and skips rows without a measurement.  Throws
/// InputError on other text, or if no row was measured.
[[nodiscard]] plot::BenchChart read_bench_rows(Input& input);

}  // namespace oa::io
