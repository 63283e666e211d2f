#pragma once

#include "cli/parser.h"
#include "survey/bench/bench.h"

namespace oa::cli {

/// --kinds, --n and the other options of the layers to measure.
void add_bench(App& app, app::BenchOptions& options);

}  // namespace oa::cli
