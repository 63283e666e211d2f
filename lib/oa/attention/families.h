#pragma once

#include <string_view>

namespace oa::attention {

/// The family of a kind: kinds of one family choose and weigh keys in a similar way.
/// "other" for a name that no kind has.
[[nodiscard]] std::string_view family_of(std::string_view kind);

}  // namespace oa::attention
