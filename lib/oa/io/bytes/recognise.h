#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace oa::io {

/// What a file is that begins with `start`, for the message of a reader that is for
/// other files, with the tool that reads it: "a numpy array (oa-view prints it)". Empty
/// if it is nothing known.
[[nodiscard]] std::string recognised(std::span<const std::byte> start);

/// Whether the bytes are text: no control characters but tabs and ends of lines.
[[nodiscard]] bool looks_like_text(std::span<const std::byte> start);

/// Whether bytes begin as safetensors do, which models and streams are made of: the
/// length of a header, far below 2^32, and its bracket.
[[nodiscard]] bool looks_like_safetensors(std::string_view start);

/// Whether text begins as a line of results of single problems does.
[[nodiscard]] bool looks_like_result(std::string_view start);

}  // namespace oa::io
