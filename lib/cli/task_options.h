#pragma once

#include "app/train/tasks.h"
#include "cli/parser.h"

namespace oa::cli {

/// Adds TASK and the options of all tasks.  An option of another task is a usage error.
void add_task(App& app, app::TaskChoice& choice);

}  // namespace oa::cli
