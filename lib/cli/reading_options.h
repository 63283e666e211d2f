#pragma once

#include "app/solve/reading.h"
#include "cli/cli.h"

#include <string>
#include <vector>

namespace oa::cli {

/// Names of the formats of single problems.
[[nodiscard]] std::vector<std::string> format_names();
/// Names of the formats that can also be written.
[[nodiscard]] std::vector<std::string> written_format_names();

/// Adds options for reading single problems;
/// `format_option` names the option for the format.
void add_reading(App& app,
                 app::ReadingOptions& options,
                 const std::string& format_option = "--format");

}  // namespace oa::cli
