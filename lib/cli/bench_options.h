#pragma once

#include "app/bench/bench.h"
#include "cli/parser.h"

namespace oa::cli {

/// --kinds, --n and what else says which layers are measured.
void add_bench(App& app, app::BenchOptions& options);

}  // namespace oa::cli
