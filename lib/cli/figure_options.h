#pragma once

#include "app/figures.h"
#include "cli/parser.h"

namespace oa::cli {

/// KIND, FILE... and the options of all kinds.  An option given with a kind that does
/// not have it is a usage error.
void add_figure(App& app, app::FigureOptions& options);

}  // namespace oa::cli
