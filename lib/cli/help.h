#pragma once

#include "cli/cli.h"

#include <string>

namespace oa::cli {

/// The text of --help: usage, what the tool does, examples, every option.
[[nodiscard]] std::string help(const Tool& tool, const App& app);

/// The text of -h: usage, what the tool does, examples, the main options.
[[nodiscard]] std::string short_help(const Tool& tool, const App& app);

}  // namespace oa::cli
