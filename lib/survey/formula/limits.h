#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace oa::attention {

/// The most bytes that a layer may take while it is declared, for a list of pairs,
/// random directions or a mask.  A site that needs more is refused.
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 32;

/// Why `what` is too large; empty if it is not.
[[nodiscard]] std::string refusal_of_bytes(std::string_view what, std::int64_t bytes);

}  // namespace oa::attention
