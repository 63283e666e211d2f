#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace oa::io {

/// The checksum of gzip and PNG, so that every language's library has it: that of all
/// bytes before and of these.  0 before the first.
[[nodiscard]] std::uint32_t extend_crc32(std::uint32_t sum,
                                         std::span<const std::byte> bytes);

}  // namespace oa::io
