#pragma once

#include "app/solve/options.h"
#include "app/solve/single.h"
#include "cli/parser.h"

namespace oa::cli {

/// --solver and its settings.
void add_solver(App& app, app::SolveOptions& o);

/// Options for single problems only.
void add_single(App& app, app::SingleOptions& o);

}  // namespace oa::cli
