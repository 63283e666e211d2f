#pragma once

#include <string>
#include <string_view>

namespace oa {

/// `text` on one line and harmless to a terminal: control characters become '?', those
/// that UTF-8 writes as two bytes (U+0080 to U+009F) too.  What a file says of itself
/// passes through this on its way to a person.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace oa
