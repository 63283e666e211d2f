#pragma once

#include <string>

namespace oa::app {

// Texts of kinds of attention that command lines allow, but model files do not.

/// Explains why `text` names no kinds; "" if it does.  Opens no csr file.
[[nodiscard]] std::string refusal_of_kinds(const std::string& text);

/// Replaces "csr:file=FILE" by the pattern in the file: "csr:rows=0;0-1;...".  A file
/// name has neither `,` nor `*`.  Throws InputError, which names the file, if it cannot
/// be read or is no pattern.
[[nodiscard]] std::string with_patterns(const std::string& text);

/// Adds `heads` to the options of kinds that have heads and do not set them; if
/// `replaces`, of all kinds with heads.  Throws UsageError if no kind has heads.
[[nodiscard]] std::string with_heads(const std::string& text, int heads, bool replaces);

/// Adds the option that takes keys from `source`, for kinds that have this option.
[[nodiscard]] std::string with_keys(const std::string& text, const std::string& source);

/// Removes isometric maps from the kinds' options.
[[nodiscard]] std::string without_isometric(const std::string& text);

}  // namespace oa::app
