#pragma once

#include "cli/parser.h"
#include "survey/bench/bench.h"

namespace oa::cli {

/// Adds --kinds, --n and other options of a benchmark.
void add_bench(App& app, app::BenchOptions& options);

}  // namespace oa::cli
