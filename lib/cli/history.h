#pragma once

#include "cli/options.h"

#include <string>
#include <string_view>

namespace oa::cli {

/// "oa-anneal 1.0.0 --solver=sa": the tool, its version, its operands without folders,
/// and the given options that may change the output; never -j.
[[nodiscard]] std::string history(std::string_view tool, const App& app);

}  // namespace oa::cli
