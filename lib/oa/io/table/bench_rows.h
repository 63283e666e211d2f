#pragma once

#include "oa/io/bytes/input.h"
#include "oa/plot/chart/bench.h"

namespace oa::io {

/// What `oa-bench --json` printed, without the rows that were not measured.  Throws
/// InputError where it is not that, or holds no measured row.
[[nodiscard]] plot::BenchChart read_bench_rows(Input& input);

}  // namespace oa::io
