#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace oa::attention {

/// The maximum bytes that declaring a layer may take, for a list of pairs,
/// random directions or a mask.  Larger sites are refused.
inline constexpr std::int64_t kMaxBytes = std::int64_t{1} << 32;

/// Error message if `what` with `bytes` bytes is too large; else empty.
[[nodiscard]] std::string refusal_of_bytes(std::string_view what, std::int64_t bytes);

}  // namespace oa::attention
