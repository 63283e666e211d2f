#pragma once

#include "cli/options.h"

#include <string>
#include <string_view>

namespace oa::cli {

/// Formats "oa-anneal 1.0.0 --solver=sa": the tool, its version,
/// operands without folders, and given options that may change the output; never -j.
[[nodiscard]] std::string history(std::string_view tool, const App& app);

}  // namespace oa::cli
