#pragma once

#include "cli/cli.h"

#include <string>

namespace oa::cli {

/// The text of --help: usage, what the tool does, every option with its default.
[[nodiscard]] std::string help(const Tool& tool, const App& app);

/// The text of -h: usage, what the tool does, examples.
[[nodiscard]] std::string short_help(const Tool& tool, const App& app);

}  // namespace oa::cli
