#pragma once

#include "app/solve/options.h"
#include "app/solve/single.h"
#include "cli/parser.h"

namespace oa::cli {

/// Adds --solver and its settings.
void add_solver(App& app, app::SolveOptions& o);

/// Adds options for single problems.
void add_single(App& app, app::SingleOptions& o);

}  // namespace oa::cli
