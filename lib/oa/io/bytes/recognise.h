#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace oa::io {

/// What a file is that begins with `start`, for the message of a reader that is for
/// other files, with the tool that reads it: "a numpy array (oa-view prints it)". Empty
/// if it is nothing known.
[[nodiscard]] std::string recognised(std::span<const std::byte> start);

/// Whether the bytes are text: no control characters but tabs and ends of lines.
[[nodiscard]] bool looks_like_text(std::span<const std::byte> start);

}  // namespace oa::io
