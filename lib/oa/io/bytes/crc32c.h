#pragma once

#include <cstdint>
#include <string_view>

namespace oa::io {

/// The checksum of Castagnoli's polynomial (RFC 3720, appendix B.4): that of
/// "123456789" is 0xe3069283.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);

}  // namespace oa::io
