#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace oa::io {

/// Returns the CRC-32 (of gzip and PNG) of all bytes so far; `sum` is the CRC-32 of the
/// bytes before `bytes` (0 at first).
[[nodiscard]] std::uint32_t extend_crc32(std::uint32_t sum,
                                         std::span<const std::byte> bytes);

/// CRC-32C, with Castagnoli's polynomial (RFC 3720, appendix B.4), of less than 2 GiB.
/// crc32c("123456789") is 0xe3069283.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);

}  // namespace oa::io
