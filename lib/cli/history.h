#pragma once

#include "cli/options.h"

#include <string>
#include <string_view>

namespace oa::cli {

/// "oa-anneal 1.0.0 --solver=sa": the tool, its version, the names of its operands
/// without folders, and every option given that may change what is written; never -j.
[[nodiscard]] std::string history(std::string_view tool, const App& app);

}  // namespace oa::cli
