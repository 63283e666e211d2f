#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace oa {

/// U+FFFD replaces bytes that are not UTF-8.
inline constexpr char32_t kReplacement = 0xFFFD;

/// Removes and returns the first code point of the non-empty `text`.
/// Returns nothing and keeps `text` if the bytes are not UTF-8 (RFC 3629:
/// no overlong forms, no surrogates, at most U+10FFFF).
[[nodiscard]] std::optional<char32_t> take_code_point(std::string_view& text);

/// The code points of `text`; kReplacement for each byte that is not UTF-8.
[[nodiscard]] std::u32string code_points(std::string_view text);

/// A code point in UTF-8.
[[nodiscard]] std::string utf8(char32_t sign);

}  // namespace oa
