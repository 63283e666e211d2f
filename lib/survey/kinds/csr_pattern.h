#pragma once

#include "survey/kernel/pattern/pattern.h"

#include <string_view>

namespace oa::attention {

/// Parses a square pattern from the text of the option `rows` of the kind csr:
/// "0;0-1;0+2;;0-4" is five queries.  Throws InputError, "query 3: why".
[[nodiscard]] Pattern parse_pattern(std::string_view rows);

}  // namespace oa::attention
