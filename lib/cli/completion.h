#pragma once

#include "cli/options.h"

#include <string>
#include <string_view>

namespace oa::cli {

/// Writes the completion of tool `name` for `shell` (bash, zsh or fish).
[[nodiscard]] std::string completion(std::string_view name,
                                     std::string_view shell,
                                     const App& app);

}  // namespace oa::cli
