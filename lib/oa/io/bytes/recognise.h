#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace oa::io {

/// A description of the file that begins with `start`, with the tool that reads it: "a
/// numpy array (oa-view prints it)".  For messages; empty if unknown.
[[nodiscard]] std::string recognised(std::span<const std::byte> start);

/// True if the bytes are text: no control characters except tabs and line ends.
[[nodiscard]] bool looks_like_text(std::span<const std::byte> start);

/// True if bytes begin as safetensors (models, streams) do:
/// with the header's length below 2^32, then '{'.
[[nodiscard]] bool looks_like_safetensors(std::string_view start);

/// True if text begins as a result line of a single problem.
[[nodiscard]] bool looks_like_result(std::string_view start);

}  // namespace oa::io
