#pragma once

#include "app/bench/bench.h"
#include "cli/parser.h"

namespace oa::cli {

/// --kinds, --n and the other options of the layers to measure.
void add_bench(App& app, app::BenchOptions& options);

}  // namespace oa::cli
