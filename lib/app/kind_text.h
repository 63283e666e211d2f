#pragma once

#include <string>

namespace oa::app {

// Forms of kinds of attention that a command line may have, but not a model's file.

/// The reason why `text` names no kinds, or "".  Opens libraries of kinds, but no file
/// of "csr:file=FILE".
[[nodiscard]] std::string refusal_of_kinds(const std::string& text);

/// The text as a model's file has it.  "csr:file=FILE" becomes "csr:rows=0;0-1;...",
/// the pattern in the file.  "./LIBRARY:NAME" opens a library of kinds and becomes
/// "NAME". Names of files have neither `,` nor `*`, those of libraries no `:`.  Throws
/// InputError, which names the file, if it is not what it should be.
[[nodiscard]] std::string with_files_read(const std::string& text);

/// The same kinds with `heads` heads, for kinds that have heads and do not set them or,
/// if it `replaces`, for all that have heads.  Throws UsageError if there is none.
[[nodiscard]] std::string with_heads(const std::string& text, int heads, bool replaces);

/// The same kinds with keys from `source`, for kinds with that option.
[[nodiscard]] std::string with_keys(const std::string& text, const std::string& source);

/// The same kinds without isometric maps.
[[nodiscard]] std::string without_isometric(const std::string& text);

}  // namespace oa::app
