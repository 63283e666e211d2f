#pragma once

#include "app/solve/reading.h"
#include "cli/cli.h"

#include <string>
#include <vector>

namespace oa::cli {

/// The names of the formats of single problems.
[[nodiscard]] std::vector<std::string> format_names();
/// The names of the formats that can be written, too.
[[nodiscard]] std::vector<std::string> written_format_names();

/// Options to read single problems; `format_option` is the name of the one for the
/// format.
void add_reading(App& app,
                 app::ReadingOptions& options,
                 const std::string& format_option = "--format");

}  // namespace oa::cli
