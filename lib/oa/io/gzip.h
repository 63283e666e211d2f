#pragma once

#include "oa/io/input.h"

#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace oa::io {

/// Whether `start`, the first bytes of an input, begin a gzip file.  No safetensors
/// file does: one with these first eight bytes has '{' as its ninth, which no gzip file
/// has.
[[nodiscard]] bool looks_like_gzip(std::span<const std::byte> start);

/// The contents of the gzip file that begins with `start` and goes on in `source`.
/// `name` is for messages.  After a stop request the end of `source` is no truncation.
[[nodiscard]] std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> source,
                                                 std::span<const std::byte> start,
                                                 std::string name,
                                                 std::stop_token stop);

}  // namespace oa::io
