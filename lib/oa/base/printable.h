#pragma once

#include <string>
#include <string_view>

namespace oa {

/// `text` on one line and safe to show in a terminal: control characters become '?',
/// also those of two bytes in UTF-8 (U+0080 to U+009F).  Text from files goes through
/// this function before people see it.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace oa
