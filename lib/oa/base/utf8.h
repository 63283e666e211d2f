#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace oa {

/// Replaces bytes that are not UTF-8.
inline constexpr char32_t kReplacement = 0xFFFD;

/// Takes the first code point off `text`, which is not empty.  Returns nothing and
/// keeps `text` if it does not begin with UTF-8 (RFC 3629: no overlong forms, no
/// surrogates, at most U+10FFFF).
[[nodiscard]] std::optional<char32_t> take_code_point(std::string_view& text);

/// The code points of `text`; kReplacement for each byte that is not UTF-8.
[[nodiscard]] std::u32string code_points(std::string_view text);

/// A code point in UTF-8.
[[nodiscard]] std::string utf8(char32_t sign);

}  // namespace oa
