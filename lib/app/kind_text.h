#pragma once

#include <string>

namespace oa::app {

// Texts of kinds of attention that command lines allow, but model files do not.

/// Explains why `text` names no kinds; empty if it names kinds.
/// Opens libraries of kinds, but no file of "csr:file=FILE".
[[nodiscard]] std::string refusal_of_kinds(const std::string& text);

/// Converts the text to the form in a model file. "csr:file=FILE" becomes
/// "csr:rows=0;0-1;...", the pattern in the file. "./LIBRARY:NAME" opens a library of
/// kinds and becomes "NAME".  Names of files must not contain `,` or `*`, names of
/// libraries no `:`.  Throws InputError, which names the file, if it cannot be read.
[[nodiscard]] std::string with_files_read(const std::string& text);

/// Adds `heads` to the options of kinds that have heads and do not set their number;
/// if `replaces`, of all kinds with heads.  Throws UsageError if no kind has heads.
[[nodiscard]] std::string with_heads(const std::string& text, int heads, bool replaces);

/// Adds the option that takes keys from `source`, for kinds that have this option.
[[nodiscard]] std::string with_keys(const std::string& text, const std::string& source);

/// Applies the kinds `loops` times, for kinds that can refine their queries.
[[nodiscard]] std::string with_loops(const std::string& text, int loops);

/// Returns the kinds without isometric maps.
[[nodiscard]] std::string without_isometric(const std::string& text);

}  // namespace oa::app
