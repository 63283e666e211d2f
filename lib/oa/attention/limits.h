#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace oa::attention {

/// What a layer makes while it is declared (a list of pairs, drawn directions, a mask)
/// is made before anybody can ask what it takes, so a site where it takes more is
/// refused.
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 32;

/// Why `what` cannot take so many bytes; empty if it can.
[[nodiscard]] std::string refusal_of_bytes(std::string_view what, std::int64_t bytes);

}  // namespace oa::attention
