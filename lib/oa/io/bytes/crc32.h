#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace oa::io {

/// Extends `sum`, the checksum of all bytes before (0 at first), by `bytes`.  It is the
/// checksum of gzip and PNG, which every language's library has.
[[nodiscard]] std::uint32_t extend_crc32(std::uint32_t sum,
                                         std::span<const std::byte> bytes);

/// The checksum of Castagnoli's polynomial (RFC 3720, appendix B.4) of less than 2 GiB:
/// that of "123456789" is 0xe3069283.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);

}  // namespace oa::io
