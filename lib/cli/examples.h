#pragma once

#include <string_view>

namespace oa::cli {

/// Command lines of a tool, each on a line of its own, as --help shows them.  Empty for
/// what is no tool of ours.
[[nodiscard]] std::string_view examples_of(std::string_view tool);

}  // namespace oa::cli
