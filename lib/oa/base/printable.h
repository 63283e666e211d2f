#pragma once

#include <string>
#include <string_view>

namespace oa {

/// Returns `text` on one line, safe for a terminal: control characters become '?', also
/// U+0080 to U+009F.  All text from files passes through here before it is shown.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace oa
