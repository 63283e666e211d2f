#pragma once

#include "oa/io/bytes/input.h"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace oa::io {

/// Suffixes of compressed files.
inline constexpr std::array<std::string_view, 4> kPackedSuffixes{
    ".gz", ".xz", ".zst", ".bz2"};

/// Returns the path without a suffix of compressed files.
[[nodiscard]] std::string_view without_packing(std::string_view path);

/// Returns the first of `path`, `path`.gz, ... that exists; empty if none exists.
[[nodiscard]] std::string plain_or_packed(const std::string& path);

/// Decompresses the file that begins with `start` and continues in `source`:
/// gzip, xz, zstd or bzip2.  For other data returns null and leaves `source` unchanged.
/// `name` is for messages.  After a stop request, the end of `source` is no error.
[[nodiscard]] std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource>& source,
                                                   std::span<const std::byte> start,
                                                   const std::string& name,
                                                   const std::stop_token& stop);

}  // namespace oa::io
