#pragma once

#include <string>

namespace oa::cli {

// What a command line may say of kinds of attention beyond what a model's file does.

/// Why `text` names no kinds; empty if it does.  "csr:file=FILE" is not opened.
[[nodiscard]] std::string refusal_of_kinds(const std::string& text);

/// "csr:file=FILE" with the pattern in the file: "csr:rows=0;0-1;...".  A file's name
/// has neither `,` nor `*`.  Throws InputError, which names the file, if it cannot be
/// read or is no pattern.
[[nodiscard]] std::string with_patterns(const std::string& text);

/// The same kinds, with as many heads where a kind has heads and nothing is said of
/// their number.  Throws app::UsageError if no kind has any.
[[nodiscard]] std::string with_heads(const std::string& text, int heads);

/// The same with keys from `source`, where a kind says where keys come from.
[[nodiscard]] std::string with_keys(const std::string& text, const std::string& source);

}  // namespace oa::cli
