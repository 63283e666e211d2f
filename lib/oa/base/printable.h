#pragma once

#include <string>
#include <string_view>

namespace oa {

/// Returns `text` on one line, safe for a terminal: control characters, also U+0080 to
/// U+009F, become '?'.  All text from files is shown through this function.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace oa
