#pragma once

#include <string>

namespace oa::app {

// Forms of kinds of attention that a command line may have, but not a model's file.

/// The reason why `text` names no kinds, or "".  "csr:file=FILE" is not opened.
[[nodiscard]] std::string refusal_of_kinds(const std::string& text);

/// "csr:file=FILE" with the pattern in the file: "csr:rows=0;0-1;...".  A file's name
/// has neither `,` nor `*`.  Throws InputError, which names the file, if it cannot be
/// read or is not a pattern.
[[nodiscard]] std::string with_patterns(const std::string& text);

/// The same kinds with `heads` heads, for kinds that have heads and do not set them or,
/// if it `replaces`, for all that have heads.  Throws UsageError if there is none.
[[nodiscard]] std::string with_heads(const std::string& text, int heads, bool replaces);

/// The same kinds with keys from `source`, for kinds with that option.
[[nodiscard]] std::string with_keys(const std::string& text, const std::string& source);

/// The same kinds applied `loops` times, for kinds that can refine their queries.
[[nodiscard]] std::string with_loops(const std::string& text, int loops);

/// The same kinds without isometric maps.
[[nodiscard]] std::string without_isometric(const std::string& text);

}  // namespace oa::app
