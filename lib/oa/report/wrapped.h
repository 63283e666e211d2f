#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace oa::report {

inline constexpr std::size_t kColumns = 80;

/// `words` behind `begin`, in lines of at most kColumns where words allow it; lines
/// that follow are indented by so many columns.  Each ends with a line feed.
[[nodiscard]] std::string wrapped(std::string begin,
                                  std::string_view words,
                                  std::size_t indent);

/// `text` at the end of so many columns, or beyond them.
[[nodiscard]] std::string to_the_right(const std::string& text, std::size_t columns);

}  // namespace oa::report
