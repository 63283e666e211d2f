#pragma once

#include <string_view>

namespace oa::attention {

/// The family of a kind, or "other" for an unknown name.  Kinds of one family choose
/// and weigh keys in similar ways.
[[nodiscard]] std::string_view family_of(std::string_view kind);

}  // namespace oa::attention
