#pragma once

#include "cli/cli.h"

#include <string>

namespace oa::cli {

/// The text of --help: usage, summary, examples, all options.
[[nodiscard]] std::string help(const Tool& tool, const App& app);

/// The text of -h: usage, summary, examples, the main options.
[[nodiscard]] std::string short_help(const Tool& tool, const App& app);

}  // namespace oa::cli
